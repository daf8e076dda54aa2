"""What is shown to people and programs: tables, records, verdicts. It computes nothing that is not shown."""

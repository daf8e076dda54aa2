"""Generated from proto/; `make proto` writes it."""

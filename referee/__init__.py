"""The tournament runner: what an organiser runs. `tourney` is its command."""

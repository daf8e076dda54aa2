"""Write a bot for Trix or Vytrix."""

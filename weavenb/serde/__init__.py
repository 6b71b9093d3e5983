"""Values as JSON text and back. No code runs on read."""

"""History as data: frames, questions in SQL, differences."""

"""What runs beside or inside the sandbox. Standard library only; `hub` is the program, the rest are its cells."""

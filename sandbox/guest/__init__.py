"""What runs beside or inside the sandbox. Standard library only; `hub` is the program, the rest are its cells."""

UNCONFINED = 70  # exit status of a cell's child that ended before anything of a solution or a run was in it

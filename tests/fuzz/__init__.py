"""Fuzz targets, one file per parser: `check` takes any bytes and raises if the parser does what it must not.

python -m tests.fuzz wire -max_total_time=300     # needs `pip install atheris`

`test_targets.py` runs each on its seeds and on a few made-up inputs, so that they keep working without atheris.
"""

"""Everything that this package raises on purpose."""


class SebenchError(Exception):
    """Base of the errors whose message is meant for the user."""


class SourceError(SebenchError):
    """A problem source that does not exist or is not one of the accepted kinds."""


class ProblemFormatError(SebenchError):
    """A problem record or source file that cannot be read; names file and line."""


class ResponseError(SebenchError):
    """A line of a response file that cannot be graded."""


class LiteralError(SebenchError):
    """Text that is not a plain Python value."""


class BuildError(SebenchError):
    """A problem whose expected values cannot be computed."""


class OracleError(SebenchError):
    """A NumPy-form solution that has no translation; says what is missing."""

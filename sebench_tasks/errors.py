"""Everything that this package raises on purpose."""

from sandbox.errors import SandboxError


class SebenchError(Exception):
    """Base of the errors whose message is meant for the user."""


class SourceError(SebenchError):
    """A problem source that does not exist or is not one of the accepted kinds."""


class ProblemFormatError(SebenchError):
    """A problem record or source file that cannot be read; names file and line."""


class ResponseError(SebenchError):
    """A line of a response file that cannot be graded."""


class UnknownFunctionError(SebenchError):
    """A name that no function of the vocabulary has; says which are near."""


class LiteralError(SebenchError):
    """Text that is not a plain Python value."""


class ImportedDataError(SebenchError):
    """The folder of imported official data cannot be written, or is not as an import left it."""


class HubError(SebenchError):
    """A data set that cannot be loaded from the hub; says how to do without."""


class UnreconciledError(SandboxError):
    """A solution of an official row was stopped, or left no result: what it returns stays unknown."""


class BuildError(SebenchError):
    """A problem whose expected values cannot be computed."""


class OracleError(SebenchError):
    """A NumPy-form solution that has no translation; says what is missing."""


class ProbeError(SebenchError):
    """A model that cannot be asked about a vocabulary; says what is missing."""


class ResultError(SebenchError):
    """Results that cannot be read, or none where some were named."""

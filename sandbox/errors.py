"""What can go wrong with the machinery. A fault of a solution is a verdict, never one of these."""


class SandboxError(RuntimeError):
    """The sandbox failed while grading; nothing can be said about the solution."""


class SandboxUnavailable(SandboxError):
    """A sandbox cannot be used on this machine; the message says why and what to do."""


class GuestDied(SandboxError):
    """A guest ended or stopped answering in the middle of a run."""

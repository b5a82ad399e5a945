"""`sebench image`: the image that the sandboxes docker and podman run."""

from enum import StrEnum
from typing import Annotated

import typer

from sebench_tasks.cli.options import reported

app = typer.Typer(help="The image of the docker and podman sandboxes.", no_args_is_help=True, rich_markup_mode=None)


class Engine(StrEnum):
    """What runs the image."""

    DOCKER = "docker"
    PODMAN = "podman"


@app.command("build")
@reported
def build_image(
    sandbox: Annotated[Engine, typer.Option(help="Whose image store it goes to.")] = Engine.DOCKER,
    base: Annotated[
        str | None,
        typer.Option(metavar="IMAGE", help="An image with this Python; by default the official slim image."),
    ] = None,
) -> None:
    """Build the sandbox's image from this installation: an interpreter, NumPy, and the guest program.

    It belongs to one version of the project and of NumPy: after an update build it again.

    Examples:

    \b
      sebench image build
      sebench image build --sandbox podman --base registry.example/python:3.11-slim
    """
    from sandbox.launchers import image
    from sandbox.launchers.docker import DockerLauncher
    from sandbox.launchers.podman import PodmanLauncher

    launcher = DockerLauncher() if sandbox is Engine.DOCKER else PodmanLauncher()
    image_id = launcher.build(base or image.DEFAULT_BASE, _report)
    typer.echo(f"{image.tag()} {image_id}")


@app.command("name")
@reported
def image_name() -> None:
    """Print the name of the image that this installation uses.

    Example:

    \b
      docker image inspect "$(sebench image name)"
    """
    from sandbox.launchers import image

    typer.echo(image.tag())


def _report(line: str) -> None:
    if line:
        typer.echo(line, err=True)

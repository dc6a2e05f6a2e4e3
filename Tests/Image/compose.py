"""The part of Docker Compose that docker/compose.yaml needs. Anything else is an error."""

import os
import re
import shlex
import time

import yaml

from containers import TIMEOUT, Container, new_volume
from network import Network

KEYS = {
    "image", "build", "command", "environment", "volumes", "read_only", "depends_on", "healthcheck", "profiles", "ports", "networks", "secrets",
}


class Composition:
    """The services of a compose file, which run on request."""

    def __init__(self, file, folder, *, images, build, variables=None):
        """Reads a file.

        `images` maps names of images to existing ones, `build` makes the image of a service from its `build` section, and `folder` is for
        volumes.
        """
        self.file = file
        self.folder = folder
        self.images = images
        self.build = build
        self.content = yaml.safe_load(self._interpolated(file.read_text(), variables or {}))
        self.running = {}
        for name, service in self.services.items():
            assert service.keys() <= KEYS, f"{name} has {service.keys() - KEYS}, which is not known here."
        # One network for each test program that runs on this machine.
        self.network = Network(f"fb{os.getpid()}")

    @property
    def services(self):
        return self.content["services"]

    @staticmethod
    def _interpolated(text, variables):
        """Returns the text with `${NAME:-default}` replaced."""
        return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda match: variables.get(match[1]) or match[2], text)

    def up(self, name, *, exit_code=False):
        """Starts a service after its dependencies. With `exit_code`, waits for its end and returns its exit code."""
        conditions = self._order(name, {})
        for each in conditions:
            self._connect(each)
        for each in conditions:
            self._start(each)
            if conditions[each] == "service_healthy":
                self._wait_until_healthy(each)
        if exit_code:
            return self.running[name].wait(timeout=300)
        return None

    def _connect(self, name):
        """Puts a service into its network, which all running services share."""
        address = None
        for network, settings in self.services[name].get("networks", {}).items():
            [pool] = self.content["networks"][network]["ipam"]["config"]
            self.network.prefix = pool["subnet"].removesuffix(".0/24")
            address = settings.get("ipv4_address")
        self.network.add(name, address)

    def _order(self, name, found):
        """Returns the services to start, in order, with the condition that others wait for."""
        depends = self.services[name].get("depends_on") or {}
        for each, how in depends.items():
            self._order(each, found)
            found[each] = how["condition"]
        found.setdefault(name, "service_started")
        return found

    def _start(self, name):
        service = self.services[name]
        image = self.build(service["build"]) if "build" in service else self.images[service["image"]]
        command = service.get("command", [])
        self.running[name] = Container(
            image,
            *(shlex.split(command) if isinstance(command, str) else command),
            environment=service.get("environment"),
            volumes=self._volumes(service, image),
            namespace=self.network.namespace(name),
            hosts=self.network.hosts,
            read_only=service.get("read_only", False),
            health_check=service.get("healthcheck", {}).get("test"),
        )

    def _volumes(self, service, image):
        """Returns the mounts: volumes of the image and of the file, folders and files of the file's folder, secrets."""
        volumes = {}
        for text in service.get("volumes", []):
            source, path, *mode = text.split(":")
            if source in self.content.get("volumes", {}):
                volumes[path] = new_volume(image, path, self.folder / source)
                continue
            assert source.startswith(".") and mode == ["ro"], f"{text} is not known here."
            volumes[path] = (self.file.parent / source).resolve()
        for name in service.get("secrets", []):
            volumes[f"/run/secrets/{name}"] = (self.file.parent / self.content["secrets"][name]["file"]).resolve()
        for path in image.config.get("Volumes") or []:
            volumes[path] = new_volume(image, path, self.folder / f"volume-{len(list(self.folder.iterdir()))}")
        return volumes

    def _wait_until_healthy(self, name):
        container = self.running[name]
        deadline = time.monotonic() + TIMEOUT
        while (check := container.check_health()).returncode != 0:
            assert time.monotonic() < deadline, f"{name} is not healthy: {check.stdout}{check.stderr}\n{container.output}"

    def down(self):
        for container in self.running.values():
            container.kill()
        self.network.remove()

"""A network of hosts: namespaces on a bridge, as a Docker engine makes them for its containers."""

import contextlib
import subprocess


def ip(*arguments):
    subprocess.run(["ip", *map(str, arguments)], check=True, capture_output=True, text=True)


class Network:
    """A bridge in its own namespace, from which hosts cannot reach anything outside."""

    def __init__(self, name, prefix="10.89.7"):
        self.name = name
        self.prefix = prefix
        self.addresses = {}
        self._bridge = f"{name}-bridge"
        self._add(self._bridge)
        ip("-n", self._bridge, "link", "add", "bridge", "type", "bridge")
        ip("-n", self._bridge, "link", "set", "bridge", "up")

    def _add(self, namespace):
        ip("netns", "add", namespace)
        ip("-n", namespace, "link", "set", "lo", "up")

    def namespace(self, host):
        """Returns the name of a host's namespace."""
        return f"{self.name}-{host}"

    def add(self, host, address=None):
        """Adds a host, and returns its address."""
        number = len(self.addresses) + 100
        self.addresses[host] = address or f"{self.prefix}.{number}"
        namespace = self.namespace(host)
        self._add(namespace)
        ip("link", "add", f"port{number}", "netns", self._bridge, "type", "veth", "peer", "name", "eth0", "netns", namespace)
        ip("-n", self._bridge, "link", "set", f"port{number}", "master", "bridge", "up")
        ip("-n", namespace, "address", "add", f"{self.addresses[host]}/24", "dev", "eth0")
        ip("-n", namespace, "link", "set", "eth0", "up")
        return self.addresses[host]

    @property
    def hosts(self):
        """Returns the lines of /etc/hosts that name all hosts."""
        return "".join(f"{address} {host}\n" for host, address in self.addresses.items())

    def remove(self):
        for namespace in [*map(self.namespace, self.addresses), self._bridge]:
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "delete", namespace)

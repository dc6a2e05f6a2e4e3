"""Loads documents over TLS with HTTP/2: from a TLS port, or from a site under its own origin, as a browser does it through a proxy."""

import os
import re
import subprocess

import machine
import servers

#: A site under its own origin. Nobody looks its name up.
SITE = "app.example.com"


def documents(server, port, seconds, headers, smallest, site=None):
    """Returns documents a second, of the server itself or through a tunnel to a site. Each document must have more than `smallest` bytes:
    with the script that is put into it."""
    connections, streams = 4, 8
    fields = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
    options = ["-t1", f"-c{connections}", f"-m{streams}", f"-D{seconds}", "--warm-up-time=1", f"--connect-to=127.0.0.1:{port}"]
    command = machine.pinned(machine.CLIENT_CORE, "h2load", *options, *fields, f"https://{site or f'localhost:{port}'}/")
    environment = dict(os.environ)
    if site:
        environment |= {"LD_PRELOAD": str(servers.BUILD / "tunnel.so"), "TUNNEL": f"{site}:443"}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    failed = re.search(r"(\d+) failed, (\d+) errored, (\d+) timeout", output).groups()
    answered = int(re.search(r"status codes: (\d+) 2xx", output).group(1))
    size = int(re.search(r"\((\d+)\) data", output).group(1)) / max(answered, 1)
    if set(failed) != {"0"} or size <= smallest or "Application protocol: h2" not in output:
        raise RuntimeError(f"{server.name}: {output}")
    return float(re.search(r"([\d.]+) req/s", output).group(1))


def make_certificate(folder):
    """Makes a self-signed certificate, of the kind that Footbridge's authority issues. Returns its file and that of its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", "req", "-x509", *kind, *names, "-out", certificate, "-keyout", key]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key

"""Measures the reverse proxy, and a site under its own origin, compared with nginx with `proxy_pass` and `sub_filter`."""

import contextlib
import http.client
import re
import statistics
import subprocess
import time

import http2
import machine
import servers
from result import Result

#: Programs that this part runs.
PROGRAMS = ["nginx", "wrk", "h2load", "openssl"]

DOCUMENT = "<!doctype html><html><head><title>Document</title></head><body>" + "<p>Some words in a paragraph.</p>" * 100 + "</body></html>"
LARGE = 16 << 20
# The fields of a browser's navigation: only such requests get the shim.
NAVIGATION = {"Accept": "text/html", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"}


def measure(is_quick):
    """Measures small documents that get a script, also over TLS with HTTP/2, a large file, and the time to the first byte."""
    rounds, seconds, requests = (1, 1, 50) if is_quick else (5, 3, 1000)
    folder = servers.BUILD / "nginx"
    site = folder / "site"
    site.mkdir(parents=True, exist_ok=True)
    (site / "index.html").write_text(DOCUMENT)
    with (site / "large.bin").open("wb") as file:
        file.truncate(LARGE)
    certificate, key = http2.make_certificate(folder)
    secure_port = servers.free_port()
    with contextlib.ExitStack() as stack:
        upstream = stack.enter_context(servers.nginx(folder, None, machine.CLIENT_CORE))
        nginx = stack.enter_context(servers.nginx(folder, upstream.port, machine.SERVER_CORE))
        address = f"http://127.0.0.1:{upstream.port}"
        secure = ["--tls-port", secure_port, "--tls-cert", certificate, "--tls-key", key]
        ours = stack.enter_context(servers.footbridge("--proxy", address, *secure, secure_port=secure_port))
        site = stack.enter_context(servers.footbridge("--site", f"https://{http2.SITE}={address}"))
        small, large, first, over_tls, own_origin = {}, {}, {}, {}, {}
        for _ in range(rounds):
            for server in (ours, nginx):
                small.setdefault(server, []).append(_wrk(server, "/", seconds, connections=16)[0])
                large.setdefault(server, []).append(_wrk(server, "/large.bin", seconds, connections=4)[1])
            for server in (ours, site, nginx):
                port = server.secure_port or server.port
                name = http2.SITE if server is site else None
                rate = http2.documents(server, port, seconds, NAVIGATION, len(DOCUMENT), site=name)
                over_tls.setdefault(server, []).append(rate)
            for server in (ours, upstream):
                first.setdefault(server, []).append(_first_byte(server, requests))
        # A proxy that the browser knows has no peer of its own here. nginx stands in, without the CONNECT.
        later = [ours_in - direct for ours_in, direct in zip(first[ours], first[upstream])]
    return [
        Result.of_rounds("proxy", "documents of 3 kB", small[ours], "/s", "nginx", small[nginx], at_least=0.9),
        Result.of_rounds("proxy", "documents of 3 kB over HTTP/2", over_tls[ours], "/s", "nginx", over_tls[nginx], at_least=0.8),
        Result.of_rounds("proxy", "documents of 3 kB, own origin", over_tls[site], "/s", "nginx", over_tls[nginx], at_least=0.8),
        Result.of_rounds("proxy", "a file of 16 MB", large[ours], "MB/s", "nginx", large[nginx], at_least=0.8),
        Result("proxy", "first byte later than direct by", statistics.median(later), "ms", at_most=0.3),
    ]


def _wrk(server, path, seconds, connections):
    """Returns requests a second and megabytes a second."""
    headers = [part for name, value in NAVIGATION.items() for part in ("-H", f"{name}: {value}")]
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", *headers, f"http://127.0.0.1:{server.port}{path}"]
    output = subprocess.run(machine.pinned(machine.CLIENT_CORE, *command), check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(f"{server.name}: {output}")
    rate, size, unit = re.search(r"Requests/sec:\s+([\d.]+)\s+Transfer/sec:\s+([\d.]+)([KMG]?)B", output).groups()
    return float(rate), float(size) * {"": 1e-6, "K": 1e-3, "M": 1, "G": 1e3}[unit]


def _first_byte(server, requests):
    """Returns the median time to the head of a response in milliseconds, on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    times = []
    for _ in range(requests):
        begin = time.perf_counter()
        connection.request("GET", "/", headers=NAVIGATION)
        response = connection.getresponse()
        times.append((time.perf_counter() - begin) * 1000)
        if response.status != 200:
            raise RuntimeError(f"{server.name}: {response.status}")
        response.read()
    connection.close()
    return statistics.median(times)

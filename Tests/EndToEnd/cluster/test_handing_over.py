"""Three servers as docker/compose.yaml starts them, behind HAProxy. One that is told to stop gives its sessions to the others, without a wait for its lease."""

import contextlib
import re
import shlex
import subprocess
import time

import pytest
import yaml

from balancer import Balancer
from footbridge_process import PROJECT, serve
from ports import free_port
from postgresql import PostgreSQL
from test_metrics import scrape
from wire_page import WirePage

COMPOSE = PROJECT / "docker/compose.yaml"
PRODUCT = "com.example.coins"
#: Longer than a test may take: nobody takes over a session whose lease still runs.
LEASE = 3600


def make_secrets(folder):
    """Makes the secrets of the compose file as the manual says."""
    manual = (PROJECT / "docs/replicas.md").read_text()
    [recipe] = re.findall(r"```sh\n(cd docker/replicas\n.*?)```", manual, re.DOTALL)
    commands, up = recipe.rsplit("docker compose", 1)
    assert up.split() == "-f docker/compose.yaml --profile replicas up --build balancer".split()
    (folder / "docker/replicas").mkdir(parents=True)
    # The files stay ours: we run the servers.
    subprocess.run(["sh", "-ec", re.sub(r"sudo chown .*", "", commands)], cwd=folder, check=True, capture_output=True)


def arguments_of(service, files, replaced):
    """Returns the arguments of a service, with the files of this machine and without `serve`."""
    for volume in service["volumes"]:
        source, path, mode = volume.split(":")
        assert mode == "ro"
        files[path] = (COMPOSE.parent / source).resolve()
    command = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", service["command"])
    for theirs, ours in replaced.items():
        assert theirs in command, theirs
        command = command.replace(theirs, ours)
    name, *arguments = shlex.split(command)
    assert name == "serve"
    return [files.get(argument, argument) for argument in arguments]


@pytest.fixture
def three(tmp_path):
    """Three servers, HAProxy in front of them, and the token of their control API."""
    make_secrets(tmp_path)
    content = yaml.safe_load(COMPOSE.read_text())
    services = content["services"]
    secrets = {f"/run/secrets/{name}": tmp_path / "docker" / secret["file"] for name, secret in content["secrets"].items()}
    with contextlib.ExitStack() as running:
        database = running.enter_context(PostgreSQL())
        balancer = running.enter_context(Balancer(ports := [free_port() for _ in range(3)]))
        replaced = {"postgresql://footbridge@database/footbridge": database.url, "10.89.9.2": "127.0.0.1", "localhost:8080": f"127.0.0.1:{balancer.port}"}
        servers = [
            running.enter_context(serve(
                *arguments_of(services[f"replica{number}"], dict(secrets), replaced), "--replica-lease", LEASE, port=port, environment=database.environment))
            for number, port in enumerate(ports, 1)
        ]
        token = secrets["/run/secrets/replicas-token"].read_text().strip()
        for server in servers:
            server.api = server.control(token)
        balancer.wait_for_ready(1, 2, 3)
        yield servers, balancer, token


def owner_of_the_only_session(servers, token):
    """Returns the server that owns it."""
    [owner] = [server for server in servers if scrape(server, token)[0]["footbridge_replica_sessions",] == 1]
    return owner


def wait_for_sheet(control, path, kind):
    """Waits until a sheet of this kind is open, and returns its address."""
    deadline = time.monotonic() + 60
    while True:
        for sheet in control("GET", path + "/sheets")["sheets"]:
            if sheet["kind"] == kind:
                return f"{path}/sheets/{sheet['id']}"
        assert time.monotonic() < deadline, f"no {kind} sheet was opened"
        time.sleep(0.02)


def test_a_page_continues_at_the_next_server_with_its_open_call_and_unfinished_transactions(three):
    servers, balancer, token = three

    def control(*request):
        return servers[-1].api(*request)

    def answer(kind, **fields):
        control("POST", wait_for_sheet(control, path, kind) + "/answer", {"approved": True, "fields": fields})

    def stop_the_owner():
        owner = owner_of_the_only_session(servers, token)
        assert owner.stop() == 0
        servers.remove(owner)

    session = control("POST", "/sessions", {"present": "control"})
    path = f"/sessions/{session['id']}"
    page = WirePage(balancer.port, session["cookie"]["value"])
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    call = page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken="first")
    wait_for_sheet(control, path, "login")
    stop_the_owner()
    wait_for_sheet(control, path, "login")
    assert not call.answered.is_set()
    answer("login", account="built-in")
    call.result()
    answer("payment")
    page.wait_for_state("purchased", "first")
    page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="second")
    wait_for_sheet(control, path, "payment")
    stop_the_owner()
    answer("payment")
    page.wait_for_state("purchased", "second")
    queue = page.call("onside.getTransactions")["transactions"]
    assert [each["payment"]["appAccountToken"] for each in queue] == ["first", "second"]
    assert page.connections >= 3 and page.violations == []
    page.close()
    [last] = servers
    figures, _ = scrape(last, token)
    # What is handed over is not taken over from a server that has just ended.
    assert figures["footbridge_replica_takeovers_total",] == figures["footbridge_replica_takeover_duration_seconds_count",] == 0
    assert figures["footbridge_replica_lease",] == figures["footbridge_replicas",] == 1
    assert 0 < figures["footbridge_replica_lease_left_milliseconds",] <= LEASE * 1000

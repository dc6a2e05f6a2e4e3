"""State in PostgreSQL: backups, and the database of the tests that breaks on request."""

import json
import os
import re
import shlex
import socket
import subprocess

import pytest

from buyer import PRODUCT
from footbridge_process import PROJECT, StartFailure, run, serve
from postgresql import PostgreSQL, state_key
from raw_http import Client
from relay import Relay
from wire_page import WirePage


def test_purchases_that_postgresql_confirmed_survive_a_kill_and_a_cut_connection():
    with PostgreSQL() as database, Relay(database.socket) as line:
        database.query("CREATE TABLE t (number int)")
        for number in range(3):
            database.query(f"INSERT INTO t VALUES ({number})")
            database.kill()
            database.start()
        assert database.query("SELECT count(*) FROM t") == [["3"]]
        far = database.url_at(line.port)
        database.client("psql", "--command", "SELECT 1", url=far)
        client = socket.create_connection(("127.0.0.1", line.port))
        client.sendall(b"\0\0\0\x08\x04\xd2\x16\x2f")
        assert client.recv(1) == b"N"  # There is no TLS at a Unix socket.
        line.cut()
        with pytest.raises(ConnectionResetError):
            client.recv(1)
        client.close()
        line.mend()
        database.client("psql", "--command", "SELECT 1", url=far)


@pytest.fixture
def serve_with(shop_root, catalog, tmp_path):
    """Starts servers with the state in a database."""
    key = state_key(tmp_path)

    def start(database):
        arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state-key", key)
        return serve(*arguments, "--state", database.url, environment=database.environment)

    return start


def manual_commands():
    """The commands of the manual that make a backup and restore it, as lists of words."""
    text = (PROJECT / "docs/state.md").read_text()
    [block] = re.findall(r"```sh\n(pg_dump .*?)```", text, re.DOTALL)
    return [shlex.split(line) for line in block.splitlines()]


def run_command(words, database, folder):
    """Runs a command of the manual on the database of a test."""
    words = [database.url.join(part.split("postgresql://footbridge@db.example/footbridge")) for part in words]
    result = subprocess.run([database.programs / words[0], *words[1:]], cwd=folder, env={**os.environ, **database.environment}, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_a_backup_restores_sessions_and_keys_into_another_database(serve_with, tmp_path):
    dump, restore = manual_commands()
    with PostgreSQL() as database, serve_with(database) as server:
        page = WirePage(server.port)
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="before the backup")
        page.wait_for_state("purchased")
        history = page.call("onside.getSignedInAppsHistory")["string"]
        # The server still runs.
        run_command(dump, database, tmp_path)
        page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="after the backup")
        page.close()
    with PostgreSQL() as other:
        run_command(restore, other, tmp_path)
        with serve_with(other) as server:
            page = WirePage(server.port, session=page.session)
            [transaction] = page.call("onside.getTransactions")["transactions"]
            assert transaction["payment"]["appAccountToken"] == "before the backup"
            # The same key signs.
            again = page.call("onside.getSignedInAppsHistory")["string"]
            assert again.split(".")[0] == history.split(".")[0]
            page.close()


def test_a_server_works_with_the_schema_of_the_next_version_if_that_allows_it(serve_with):
    with PostgreSQL() as database:
        with serve_with(database) as server:
            page = WirePage(server.port)
            page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
            page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="before")
            page.wait_for_state("purchased", "before")
            # The first server of the next version starts, and adds a column. This one still runs.
            database.query("ALTER TABLE footbridge.session ADD COLUMN later text; UPDATE footbridge.schemaVersion SET version = version + 1")
            page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="meanwhile")
            page.wait_for_state("purchased", "meanwhile")
        with serve_with(database) as server:
            page.port = page.line = server.port
            page.call("onside.purchase", productIdentifier=PRODUCT)
            assert len(page.call("onside.getTransactions")["transactions"]) == 3
            page.close()
        database.query("UPDATE footbridge.schemaVersion SET usableBy = version")
        with pytest.raises(StartFailure) as failure:
            serve_with(database)
        assert failure.value.code == os.EX_CANTCREAT and "newer version" in failure.value.log


def test_a_schema_from_before_the_first_version_is_refused_with_what_to_do(serve_with):
    with PostgreSQL() as database:
        with serve_with(database):
            pass
        database.query("DROP TABLE footbridge.schemaVersion")
        with pytest.raises(StartFailure) as failure:
            serve_with(database)
        assert failure.value.code == os.EX_CANTCREAT and "before 0.1.0" in failure.value.log and "DROP SCHEMA footbridge CASCADE" in failure.value.log


def test_the_log_has_one_line_about_an_outage_however_many_requests_meet_it(serve_with):
    with PostgreSQL() as database, serve_with(database) as server:
        control = server.control()
        control.session()
        database.kill()
        assert {control.request("GET", f"/sessions/{number:016x}").status for number in range(50)} == {503}
        assert sum("The store cannot say who runs a session" in line for line in server.log) == 1
        assert not [line for line in server.log if "request to the control API failed" in line]
        database.start()


def test_without_libpq_the_server_says_which_package_to_install(tmp_path):
    # The loader stops at a file with this name that is no library.
    (tmp_path / "libpq.so.5").touch()
    result = run("serve", "--port", 0, "--state", "postgresql://footbridge:hidden@db.example/footbridge", environment={"LD_LIBRARY_PATH": str(tmp_path)})
    assert result.returncode == os.EX_UNAVAILABLE and result.stdout == ""
    assert "apt install libpq5" in result.stderr and "postgresql://footbridge@db.example/footbridge" in result.stderr and "hidden" not in result.stderr


def test_a_key_that_others_can_read_is_refused(tmp_path):
    key = tmp_path / "state.key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o644)
    result = run("serve", "--port", 0, "--state", "postgresql://footbridge@db.example/footbridge", "--state-key", key)
    assert result.returncode == os.EX_NOINPUT and f"chmod 600 {key}" in result.stderr


@pytest.fixture
def key(tmp_path):
    return state_key(tmp_path)


def test_the_error_about_an_unreachable_database_hides_the_password(key):
    result = run("serve", "--port", 0, "--state", "postgresql://footbridge:hidden@127.0.0.1:1/footbridge", "--state-key", key, timeout=60)
    assert result.returncode == os.EX_TEMPFAIL
    assert "postgresql://footbridge@127.0.0.1:1/footbridge cannot be reached" in result.stderr and "Start the database" in result.stderr
    assert "hidden" not in result.stderr


def test_a_server_reports_that_its_database_is_gone_and_continues_when_it_is_back(shop_root, catalog, key):
    with PostgreSQL() as database, serve(
        "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", database.url, "--state-key", key, "--replica-lease", 1,
        environment=database.environment) as server:
        page = WirePage(server.port)
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="before")
        page.wait_for_state("purchased", "before")
        page.stay_away()
        database.kill()
        # What docs/replicas.md tells people to look for.
        server.wait_for_log("The lease of this replica could not be renewed")
        server.wait_for_log("This replica has lost its lease")
        ready = Client(server).get("/__footbridge/health/ready")
        assert (ready.status, json.loads(ready.body)["status"]) == (503, "no-lease")
        refused = Client(server).get("/", f"Cookie: footbridge_session={page.session}", "Sec-Fetch-Dest: document")
        assert refused.status == 503 and refused.field("retry-after")
        database.start()
        page.come_back()
        [transaction] = page.call("onside.getTransactions")["transactions"]
        assert transaction["payment"]["appAccountToken"] == "before" and page.violations == []
        page.close()

"""What the command prints, and its exit codes."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import tomllib
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from footbridge_process import BUILD, FIXTURES, PROJECT, run, serve


def failure(*arguments, environment=None):
    """Returns the exit code of a failing command, and the only line that it prints."""
    result = run(*arguments, environment=environment)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    return result.returncode, lines[0]


def test_standard_output_has_only_the_ready_lines(shop_root):
    with serve("--root", shop_root) as server:
        assert server.url == f"http://127.0.0.1:{server.port}"
        line = server.lines.get(timeout=60)
        assert re.fullmatch(rf"footbridge: control {server.url}/__footbridge/api/v1 token=[0-9a-f]{{32}}", line)
        line = server.lines.get(timeout=60)
        assert re.fullmatch(r"footbridge: dashboard http://127\.0\.0\.1:\d+/#/\?code=[0-9a-f]{32}", line)
        server.stop()
        assert server.lines.get(timeout=60) is None


#: The files of a package, by their names: what they are, and their version.
PACKAGE = re.compile(r"(?:footbridge_testing|footbridge)[-_](\d+(?:\.\d+)+)(?=[-_.])")


def test_all_parts_have_the_version_of_the_program():
    version = run("--version").stdout.strip()
    web = PROJECT / "web"
    assert json.loads((web / "testing" / "package.json").read_text())["version"] == version
    assert tomllib.loads((web / "testing" / "pyproject.toml").read_text())["project"]["version"] == version
    assert json.loads((web / "api" / "openapi.json").read_text())["info"]["version"] == version
    assert f"the first one, {version}, does" in (PROJECT / "CHANGELOG.md").read_text()
    files = [*PROJECT.glob("docs/**/*.md"), PROJECT / "README.md", *(PROJECT / "Examples").rglob("*.txt"), *(PROJECT / "Examples").rglob("package.json")]
    named = {(file.name, found) for file in files if "node_modules" not in file.parts for found in PACKAGE.findall(file.read_text())}
    assert {name for name, _ in named} >= {"ci.md", "packages.md", "testing.md", "requirements.txt", "package.json"}
    assert {found for _, found in named} == {version}, named


def test_a_control_token_that_was_given_is_not_printed(shop_root):
    with serve("--root", shop_root, environment={"FOOTBRIDGE_CONTROL_TOKEN": "my-token"}) as server:
        assert server.lines.get(timeout=60) == f"footbridge: control {server.url}/__footbridge/api/v1"


def test_the_error_about_a_busy_port_says_what_to_do():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, line = failure("serve", "--port", port)
    assert code == os.EX_UNAVAILABLE
    assert str(port) in line and "--port" in line


def test_the_error_about_a_missing_root_names_it():
    code, line = failure("serve", "--root", "/does/not/exist")
    assert code == os.EX_NOINPUT
    assert "/does/not/exist" in line and "--root" in line


def test_a_wrong_type_in_a_catalogue_is_an_error_with_file_path_and_expectation(tmp_path):
    text = (FIXTURES / "onsidekit-example.storekit").read_text().replace('"displayPrice" : "0.99"', '"displayPrice" : 0.99', 1)
    broken = tmp_path / "broken.storekit"
    broken.write_text(text)
    for command in (("serve", "--catalog", broken), ("catalog", broken)):
        code, line = failure(*command)
        assert code == os.EX_DATAERR
        assert str(broken) in line and "products[0].displayPrice" in line and "string" in line


def test_text_that_is_not_a_catalogue_is_an_error(tmp_path):
    (tmp_path / "no.storekit").write_text("hello")
    code, line = failure("catalog", tmp_path / "no.storekit")
    assert code == os.EX_DATAERR
    assert "no.storekit" in line


@pytest.mark.parametrize("text", ["{}", '{"name": "shop", "version": "1.0.0"}'])
def test_json_that_is_not_a_catalogue_is_an_error(tmp_path, text):
    (tmp_path / "package.json").write_text(text)
    for command in (("serve", "--catalog", tmp_path / "package.json"), ("catalog", tmp_path / "package.json")):
        code, line = failure(*command)
        assert code == os.EX_DATAERR
        assert "package.json" in line and "StoreKit configuration" in line and "subscriptionGroups" in line


def test_a_catalogue_without_products_is_valid(tmp_path):
    (tmp_path / "empty.storekit").write_text('{"products": [], "subscriptionGroups": []}')
    assert run("catalog", tmp_path / "empty.storekit").returncode == 0


def test_the_error_about_an_unusable_option_names_it():
    code, line = failure("serve", "--port", "banana")
    assert code == os.EX_USAGE
    assert "--port" in line and "banana" in line


def test_an_unknown_option_is_a_usage_error():
    result = run("serve", "--nonsense")
    assert result.returncode == os.EX_USAGE
    assert "--nonsense" in result.stderr


def test_the_error_about_an_address_that_this_machine_lacks_names_it():
    code, line = failure("serve", "--port", "0", "--host", "192.0.2.1", "--control-token", "t")
    assert code == os.EX_USAGE
    assert "192.0.2.1" in line and "--host" in line


def test_a_flag_beats_a_variable_and_a_variable_beats_the_file(tmp_path):
    config = tmp_path / "footbridge.yaml"
    config.write_text("port: nonsense-of-file\n")
    assert "port in " in failure("serve", "--config", config)[1]
    variable = {"FOOTBRIDGE_PORT": "nonsense-of-variable"}
    assert "FOOTBRIDGE_PORT" in failure("serve", "--config", config, environment=variable)[1]
    assert "--port" in failure("serve", "--config", config, "--port", "nonsense-of-flag", environment=variable)[1]
    with serve("--config", config, environment=variable) as server:
        assert server.port > 0


def test_a_configuration_file_that_cannot_be_used_is_an_error(tmp_path):
    config = tmp_path / "footbridge.yaml"
    config.write_text("prot: 1\n")
    code, line = failure("serve", "--config", config)
    assert code == os.EX_CONFIG
    assert str(config) in line and "prot" in line


def test_the_catalogue_is_printed_as_a_table():
    result = run("catalog", FIXTURES / "storehelper-sample.storekit")
    assert result.returncode == 0
    rows = result.stdout.splitlines()
    assert rows[0].split()[0] == "Product"
    assert any("com.rarcher.subscription.vip.gold" in row and "19.99" in row and "P1M" in row for row in rows)
    assert len(rows) == 12
    [gold] = [row for row in rows if "vip.gold" in row]
    assert "introductory 1.99 for each of 3 × P1M; vip.gold.xmassale 0.99 for P3M" in gold


def test_the_keys_of_a_catalogue_that_are_not_used_are_told_with_their_places(tmp_path):
    file = FIXTURES / "storehelper-sample.storekit"
    unused = [f"{file}: $.{key} is not used." for key in (
        "settings._storeKitError", "subscriptionGroups[0].subscriptions[0].codeOffers", "subscriptionOffersKeyPair")]
    assert run("catalog", file).stderr.splitlines() == [f"footbridge: {line}" for line in unused]
    assert run("catalog", FIXTURES / "onsidekit-example.storekit").stderr == ""
    with serve("--catalog", file, "--ephemeral") as server:
        for line in unused:
            server.wait_for_log(line)


def test_an_incomplete_offer_stops_neither_the_check_nor_the_server(tmp_path):
    catalogue = json.loads((FIXTURES / "storehelper-sample.storekit").read_text())
    gold = catalogue["subscriptionGroups"][0]["subscriptions"][0]
    gold["introductoryOffer"] |= {"paymentMode": "none", "displayPrice": ""}
    gold["adHocOffers"][0]["displayPrice"] = ""
    file = tmp_path / "Products.storekit"
    file.write_text(json.dumps(catalogue))
    result = run("catalog", file)
    assert result.returncode == 0
    [row] = [row for row in result.stdout.splitlines() if "vip.gold" in row]
    assert "introductory" not in row and "vip.gold.xmassale2 10 for P1Y" in row
    place = "$.subscriptionGroups[0].subscriptions[0]"
    remarks = [line for line in result.stderr.splitlines() if line.endswith("The offer is left out.")]
    assert len(remarks) == 2 and all(str(file) in line for line in remarks)
    assert f"{place}.introductoryOffer.paymentMode: found \"none\"" in remarks[0]
    assert f"{place}.adHocOffers[0].displayPrice: found \"\"" in remarks[1]
    with serve("--catalog", file, "--ephemeral") as server:
        server.wait_for_log(remarks[0].removeprefix("footbridge: "))


def test_a_billing_plan_with_a_commitment_is_left_out_with_a_remark(tmp_path):
    catalogue = json.loads((FIXTURES / "storehelper-sample.storekit").read_text())
    catalogue["subscriptionGroups"][0]["subscriptions"][0]["billingPlans"] = [
        {"billingPlanType": "BILLED_UPFRONT", "isEnabled": True, "displayPrice": "19.99"},
        {"billingPlanType": "MONTHLY", "isEnabled": True, "displayPrice": "1.99", "commitmentDisplayPrice": "23.88"},
    ]
    file = tmp_path / "Products.storekit"
    file.write_text(json.dumps(catalogue))
    remark = f"{file}: $.subscriptionGroups[0].subscriptions[0].billingPlans[1]: subscriptions are sold with the billing plan BILLED_UPFRONT alone. " \
        "The plan MONTHLY is left out."
    result = run("catalog", file)
    assert result.returncode == 0
    assert f"footbridge: {remark}" in result.stderr.splitlines()
    with serve("--catalog", file, "--ephemeral") as server:
        server.wait_for_log(remark)


def start_with_output(output, *arguments, **options):
    """Starts a server with this standard output on a free port. Returns its process and the port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(BUILD / "footbridge"), "serve", "--ephemeral", "--port", str(port), *map(str, arguments)]
    return subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True, **options), port


def is_answered(port):
    """Returns whether a server answers at the port within a minute."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/__footbridge/health", timeout=5) as response:
                return response.status == 200
        except urllib.error.URLError:
            time.sleep(0.02)
    return False


def test_a_server_runs_when_standard_output_is_closed_by_its_reader():
    reading, writing = os.pipe()
    os.close(reading)
    process, port = start_with_output(writing)
    os.close(writing)
    assert is_answered(port)
    process.terminate()
    assert "Standard output" not in process.communicate(timeout=60)[1]
    assert process.returncode == 0


def test_a_server_runs_when_standard_output_is_full_and_logs_one_line():
    with open("/dev/full", "w") as full:
        process, port = start_with_output(full)
    line = process.stderr.readline()
    while "Standard output" not in line:
        assert line, "nothing was said"
        line = process.stderr.readline()
    assert f"http://127.0.0.1:{port}" in line
    assert is_answered(port)
    process.terminate()
    assert "Standard output" not in process.communicate(timeout=60)[1]
    assert process.returncode == 0


def test_a_server_runs_when_standard_output_and_standard_error_are_closed():
    process, port = start_with_output(None, preexec_fn=lambda: (os.close(1), os.close(2)))
    assert is_answered(port)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.parametrize("arguments", [("catalog", FIXTURES / "onsidekit-example.storekit"), ("trust",), ("trust", "--spki")])
def test_a_command_that_cannot_write_its_output_ends_with_an_input_output_error(arguments):
    command = [str(BUILD / "footbridge"), *map(str, arguments)]
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert result.returncode == os.EX_IOERR
    assert len(result.stderr.splitlines()) == 1 and "Standard output cannot be written" in result.stderr


def test_a_command_whose_output_is_closed_by_its_reader_ends_silently():
    reading, writing = os.pipe()
    os.close(reading)
    command = [str(BUILD / "footbridge"), "catalog", str(FIXTURES / "storehelper-sample.storekit")]
    result = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writing)
    assert result.returncode == os.EX_IOERR
    assert result.stderr == ""


def seconds_until_a_signal_has_closed_sockets(shop_root, number):
    with serve("--root", shop_root) as server:
        address = f"ws://127.0.0.1:{server.port}/__footbridge/bridge"
        with connect(address, subprotocols=["footbridge.v1"], origin=server.url) as websocket, \
                socket.create_connection(("127.0.0.1", server.port)) as idle, \
                socket.create_connection(("127.0.0.1", server.port)) as half:
            # An answer shows that the server has accepted the connection. The system resets a connection that still waits for that.
            idle.sendall(f"GET /__footbridge/health HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n".encode())
            assert idle.recv(4096).startswith(b"HTTP/1.1 200 ")
            half.sendall(b"GET / HTT")
            began = time.monotonic()
            server.process.send_signal(number)
            with pytest.raises(ConnectionClosed):
                websocket.recv(timeout=60)
            assert websocket.close_code == 1001
            assert idle.recv(1) == b""
        assert server.process.wait(timeout=60) == 0
        return time.monotonic() - began


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_sockets_with_1001_and_ends_with_0_within_two_seconds(shop_root, number):
    # A machine that is busy with something else may need longer now and then.
    assert any(seconds_until_a_signal_has_closed_sockets(shop_root, number) < 2 for _ in range(3))


def test_a_damaged_store_is_set_aside_with_a_log_line(shop_root, tmp_path):
    (tmp_path / "footbridge.sqlite").write_text("this is no database, and long enough to be sure of it " * 100)
    with serve("--root", shop_root, "--state", tmp_path) as server:
        server.wait_for_log("warning", "footbridge.sqlite", "set aside")
    assert [path.read_text()[:4] for path in tmp_path.glob("footbridge.sqlite.damaged-*")] == ["this"]


def test_the_error_about_a_state_directory_that_cannot_be_created_names_it(tmp_path):
    (tmp_path / "file").write_text("")
    code, line = failure("serve", "--port", "0", "--state", tmp_path / "file" / "state")
    assert code == os.EX_CANTCREAT
    assert "--state" in line


def test_the_server_listens_on_loopback_only(shop_root):
    with serve("--root", shop_root) as server:
        addresses = [line.split()[1] for line in open("/proc/net/tcp").readlines()[1:] if line.split()[3] == "0A"]
        own = [address for address in addresses if int(address.split(":")[1], 16) == server.port]
        assert own == [f"0100007F:{server.port:04X}"]


@pytest.mark.parametrize("beside", [True, False])
def test_a_path_of_the_file_is_relative_to_its_folder_or_else_to_the_working_directory(tmp_path, catalog, shop_root, beside):
    folder = tmp_path / "settings"
    folder.mkdir()
    where = folder if beside else tmp_path
    (where / "Products.storekit").write_bytes(catalog.read_bytes())
    (where / "site").symlink_to(shop_root)
    config = folder / "footbridge.yaml"
    config.write_text("root: site\ncatalog: Products.storekit\n")
    process, port = start_with_output(subprocess.DEVNULL, "--config", config, cwd=tmp_path)
    assert is_answered(port)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_variable_that_is_empty_is_not_set(shop_root):
    with serve("--root", shop_root, environment={"FOOTBRIDGE_TLS_PORT": "", "FOOTBRIDGE_CONFIG": ""}) as server:
        assert server.port > 0


def test_root_and_proxy_together_are_a_usage_error_of_exec_too(tmp_path):
    code, line = failure("exec", "--root", tmp_path, "--proxy", "http://localhost:1", "--", "true")
    assert code == os.EX_USAGE
    assert "--root" in line and "--proxy" in line


def test_root_on_the_command_line_overrides_proxy_of_the_file(shop_root, tmp_path):
    config = tmp_path / "footbridge.yaml"
    config.write_text("proxy: http://localhost:1\n")
    with serve("--root", shop_root, "--config", config, "--ephemeral") as server:
        with urllib.request.urlopen(server.url) as response:
            assert response.status == 200

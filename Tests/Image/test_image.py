"""The image of docker/Dockerfile: its content, and a purchase in a container."""

import contextlib
import os
import re
import signal
import socket
import subprocess

import pytest
from playwright.sync_api import expect

from containers import Container, new_volume

STATE = "/var/lib/footbridge"
TOKEN = "a-control-token-of-the-tests"
#: The maximum difference in size between the image and its base, in bytes.
ALLOWANCE = 50_000_000


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@pytest.fixture
def volume(image, tmp_path):
    return new_volume(image, STATE, tmp_path / "state")


def started(image, port, volume, *arguments, **environment):
    """Starts the image with the least rights, in the network of the machine."""
    variables = {"FOOTBRIDGE_CONTROL_TOKEN": TOKEN, "FOOTBRIDGE_PORT": str(port), **environment}
    return Container(image, *arguments, environment=variables, volumes={STATE: volume}, read_only=True)


@contextlib.contextmanager
def running(image, port, volume):
    """The container, once it serves."""
    with started(image, port, volume) as container:
        container.wait_for_line("^footbridge: ready ")
        yield container


def test_the_image_is_at_most_50_mb_above_its_base(image, base, record_property):
    added = image.size() - base.size()
    record_property("bytes above the base", added)
    assert added <= ALLOWANCE, f"The image is {added / 1e6:.1f} MB above its base."


def in_image(image, *command):
    return subprocess.run(["chroot", image.files, *command], capture_output=True, text=True, check=True).stdout


def packages(image):
    return set(in_image(image, "dpkg-query", "-W", "-f", "${Package}\n").split())


def test_every_package_that_is_added_has_a_library_that_the_program_loads(image, base):
    # Loaded only for --event-loop libev.
    plugin = next(image.files.glob("usr/lib/*/libwebsockets-evlib_ev.so*"))
    plugin = "/" + str(plugin.relative_to(image.files))
    loaded = [plugin, *re.findall(r"=> (\S+) \(", in_image(image, "ldd", "/usr/bin/footbridge") + in_image(image, "ldd", plugin))]
    assert len(loaded) > 5
    files = [image.files / f"var/lib/dpkg/info/{name}" for name in os.listdir(image.files / "var/lib/dpkg/info") if name.endswith(".list")]
    owned = {file.name.removesuffix(".list").split(":")[0]: file.read_text() for file in files}
    needed = {package for package, listed in owned.items() if any(path.removeprefix("/usr") + "\n" in listed for path in loaded)}
    assert packages(image) - packages(base) <= needed


def test_the_image_has_the_licences_of_linked_libraries_and_no_package_lists(image):
    documents = image.files / "usr/share/doc/footbridge"
    assert {"LICENSE", "THIRD-PARTY-NOTICES.md", "licences"} <= {file.name for file in documents.iterdir()}
    for name in ("Swift.txt", "ICU.txt", "GRDB.swift/LICENSE", "swift-log/LICENSE.txt", "swift-log/NOTICE.txt"):
        assert (documents / "licences" / name).stat().st_size > 0
    assert list((image.files / "var/lib/apt/lists").iterdir()) == []


def test_the_image_runs_as_an_unknown_user_with_its_state_in_a_volume(image):
    assert image.config["User"] == "10001:10001"
    assert list(image.config["Volumes"]) == [STATE]
    state = (image.files / STATE.lstrip("/")).stat()
    assert (state.st_uid, state.st_gid, state.st_mode & 0o777) == (10001, 10001, 0o700)


def test_the_error_about_a_missing_token_says_what_to_do(image, port, volume):
    with started(image, port, volume, FOOTBRIDGE_CONTROL_TOKEN="") as container:
        assert container.wait() == os.EX_USAGE
        assert "FOOTBRIDGE_CONTROL_TOKEN" in container.output


def test_the_arguments_of_a_container_are_passed_to_the_command(image, port, volume):
    with started(image, port, volume, "--version") as container:
        assert container.wait() == 0
        assert re.fullmatch(r"[\d.]+", container.output)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_process_1_handles_signals(image, port, volume, number):
    with running(image, port, volume) as container:
        assert os.readlink(f"/proc/{container.pid}/ns/pid") != os.readlink("/proc/self/ns/pid")
        assert container.execute("cat", "/proc/1/comm").stdout == "footbridge\n"
        assert container.signal(number) == 0


def test_the_health_check_fails_for_a_server_that_does_not_serve(image, port, volume):
    with running(image, port, volume) as container:
        healthy = container.check_health()
        assert (healthy.returncode, healthy.stderr) == (0, "")
        assert container.check_health(environment={"FOOTBRIDGE_PORT": "1"}).returncode != 0


def test_only_the_state_folder_is_writable(image, port, volume):
    with running(image, port, volume) as container:
        status = container.execute("cat", "/proc/1/status").stdout
        assert re.search(r"^CapEff:\s0+$", status, re.MULTILINE) and re.search(r"^Uid:\s10001\s", status, re.MULTILINE)
        assert container.execute("touch", "/tmp/file").returncode != 0
        assert container.execute("touch", f"{STATE}/file").returncode == 0


def test_a_purchase_that_the_page_has_not_finished_is_delivered_again_by_the_next_container(image, port, volume, launch):
    browser = launch()
    page = browser.new_context(locale="en-US").new_page()
    queue = page.get_by_role("list", name="Payment queue")
    with running(image, port, volume) as container:
        page.goto(f"http://localhost:{port}")
        page.get_by_role("button", name="Buy 10 credits").click()
        page.get_by_role("dialog", name="Sign in to Onside").get_by_role("button", name="Sign in").click()
        page.get_by_role("dialog", name="Buy 10 credits?").get_by_role("button", name="Buy").click()
        expect(page.get_by_text("10 left")).to_be_visible()
        expect(queue).to_contain_text("purchased")
        page.goto("about:blank")
        assert container.signal(signal.SIGTERM) == 0
    with running(image, port, volume):
        page.goto(f"http://localhost:{port}")
        expect(queue).to_contain_text("purchased")
        # The shop has already counted it.
        expect(page.get_by_text("10 left")).to_be_visible()
    browser.close()

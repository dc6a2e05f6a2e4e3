"""The packages of `make dist` have the same bytes in every folder, and run on a bare system."""

import base64
import contextlib
import hashlib
import http.server
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import threading
import urllib.parse

import playwright
import pytest

from browser_profiles import CHROMIUM
from footbridge_process import BUILD, PROJECT
from packages import EPOCH, IS_RELEASE, make, only, output_of

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="The packages are for Linux."),
    pytest.mark.timeout(1800),
]


@pytest.fixture(scope="module")
def dist(packaging_tools, packed_program, tmp_path_factory):
    return make(packaging_tools, packed_program, tmp_path_factory.mktemp("one"))


def digests(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def test_packages_that_were_built_in_two_folders_have_the_same_bytes(packaging_tools, packed_program, dist, tmp_path):
    other = tmp_path / "a folder with a much longer name"
    other.mkdir()
    # It takes minutes to pack the release. A difference would show with the stand-in as well.
    parts = ["tar", "deb"] if IS_RELEASE else []
    again = digests(make(packaging_tools, packed_program, other, *parts))
    first = digests(dist)
    if parts:
        assert len(again) >= 3
        del again["SHA256SUMS"]
        assert again.items() <= first.items()
    else:
        assert again == first


def test_the_checksums_are_those_of_all_packages(dist):
    output_of("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=dist)
    named = {line.split("  ")[1] for line in (dist / "SHA256SUMS").read_text().splitlines()}
    assert named == {file.name for file in dist.iterdir()} - {"SHA256SUMS"}


def test_the_tarball_has_the_program_with_its_manual_completions_and_licences(dist):
    with tarfile.open(only(dist, "*.tar.gz")) as archive:
        members = {pathlib.PurePosixPath(*pathlib.PurePosixPath(member.name).parts[1:]).as_posix(): member for member in archive}
        assert members["bin/footbridge"].mode == 0o755
        expected = {
            "share/man/man1/footbridge.1", "share/man/man1/footbridge.serve.1", "share/bash-completion/completions/footbridge",
            "share/zsh/site-functions/_footbridge", "share/fish/vendor_completions.d/footbridge.fish", "share/doc/footbridge/LICENSE",
            "share/doc/footbridge/THIRD-PARTY-NOTICES.md", "share/doc/footbridge/licences/Swift.txt",
        }
        assert expected <= members.keys()
        page = archive.extractfile(members["share/man/man1/footbridge.serve.1"]).read().decode()
        assert "catalog" in page and "November 14, 2023" in page
        assert {(member.uid, member.mtime) for member in members.values()} == {(0, EPOCH)}
        pins = json.loads((PROJECT / "Package.resolved").read_text())["pins"]
        for pin in pins:
            name = pin["location"].removesuffix(".git").rsplit("/", 1)[1]
            assert any(path.startswith(f"share/doc/footbridge/licences/{name}/LICENSE") for path in members), name


def test_the_bill_of_materials_lists_everything_linked_and_loaded(dist):
    bill = json.loads(only(dist, "*.spdx.json").read_text())
    assert (bill["spdxVersion"], bill["creationInfo"]["created"]) == ("SPDX-2.3", "2023-11-14T22:13:20Z")
    packages = {package["name"]: package for package in bill["packages"]}
    for pin in json.loads((PROJECT / "Package.resolved").read_text())["pins"]:
        name = pin["location"].removesuffix(".git").rsplit("/", 1)[1]
        assert packages[name]["versionInfo"] == pin["state"]["version"]
    loaded = {name for name in packages if ".so" in name}
    assert {"libwebsockets", "libssl", "libpsl", "libc"} <= {name.split(".so")[0] for name in loaded}
    assert [name for name, package in packages.items() if package["licenseConcluded"] == "NOASSERTION"] == []
    # What is loaded only on request is no part of the packages.
    optional = {entry["spdxElementId"] for entry in bill["relationships"] if entry["relationshipType"] == "OPTIONAL_DEPENDENCY_OF"}
    assert packages["libpq"]["SPDXID"] in optional and packages["libpq"]["licenseDeclared"] == "PostgreSQL"
    assert packages["libpq"]["externalRefs"][0]["referenceLocator"] == "pkg:deb/debian/libpq5"
    identifiers = [package["SPDXID"] for package in bill["packages"]] + ["SPDXRef-DOCUMENT"]
    assert len(identifiers) == len(set(identifiers))
    for relationship in bill["relationships"]:
        assert {relationship["spdxElementId"], relationship["relatedSpdxElement"]} <= set(identifiers)


def test_every_licence_in_the_bill_is_in_the_third_party_notices():
    notices = (PROJECT / "THIRD-PARTY-NOTICES.md").read_text()
    known = json.loads((PROJECT / "packaging/licences.json").read_text())
    assert [name for name in known["packages"] | known["parts"] | known["optional"] if name not in notices] == []


def test_the_debian_package_recommends_the_library_for_a_database(dist):
    described = output_of("dpkg-deb", "--field", only(dist, "*.deb"), "Depends", "Recommends")
    depends, recommends = (line.split(": ", 1)[1] for line in described.splitlines())
    assert "libpq5 (>= 14)" in recommends.split(", ") and "libpq" not in depends


@contextlib.contextmanager
def new_system(root, release, *packages):
    """Makes a Debian that has nothing but these packages. Returns a function that runs a command in it."""
    made = subprocess.run(["debootstrap", "--variant=minbase", release, str(root)], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"debootstrap could not make {release}: {made.stdout[-300:]}")
    # How pip reaches its index is the machine's matter.
    reach = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name.lower().endswith("_proxy")}
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root", **reach}

    def inside(*command, **variables):
        return output_of("chroot", root, *command, env={**environment, **variables})

    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    try:
        inside("apt-get", "update", "-qq")
        inside("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
        yield inside
    finally:
        subprocess.run(["umount", root / "proc"], check=True)


on_new_systems = pytest.mark.skipif(
    not IS_RELEASE or os.geteuid() != 0 or not shutil.which("debootstrap"),
    reason="Only root makes systems, with debootstrap, and the debug build needs Swift's libraries.")


@on_new_systems
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_the_debian_package_is_installed_in_a_new_system_and_serves(dist, tmp_path, release):
    root = tmp_path / release
    with new_system(root, release) as inside:
        package = pathlib.Path(shutil.copy(only(dist, "*.deb"), root / "tmp"))
        inside("apt-get", "install", "-y", "-qq", "--no-install-recommends", f"/tmp/{package.name}")
        assert inside("footbridge", "exec", "--", "sh", "-c", "echo $FOOTBRIDGE_URL").startswith("http://127.0.0.1:")


#: pytest-playwright would use its own browser; this fixture uses the machine's.
CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": %r, "args": ["--no-sandbox"]}
"""


def write_tests(tests, chromium):
    """Writes a user's project: one test that buys, with the browser that the machine has."""
    tests.mkdir()
    for name in ("test_shop.py", "footbridge.yaml"):
        shutil.copy(PROJECT / "Examples/pytest" / name, tests)
    (tests / "pytest.ini").write_text("[pytest]\nfootbridge_options = --config footbridge.yaml\n")
    (tests / "conftest.py").write_text(CONFTEST % chromium)


@on_new_systems
def test_a_new_system_with_python_and_a_browser_buys_with_only_the_wheel(dist, tmp_path):
    root = tmp_path / "bookworm"
    # libatomic1 is for Playwright's driver, and is what `playwright install-deps` would install.
    with new_system(root, "bookworm", "ca-certificates", "chromium", "libatomic1", "python3-venv") as inside:
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", root / "etc/ssl/certs/ca-certificates.crt")
        (root / "dev/shm").mkdir(exist_ok=True)
        wheel = pathlib.Path(shutil.copy(only(dist, "*.whl"), root / "tmp"))
        write_tests(root / "tests", "/usr/bin/chromium")
        inside("python3", "-m", "venv", "/venv")
        assert "libwebsockets" not in inside("dpkg-query", "--show")
        inside("/venv/bin/pip", "install", "--quiet", f"/tmp/{wheel.name}[playwright]")
        result = inside("/venv/bin/pytest", "-q", "-p", "no:cacheprovider", "-k", "credits_are_counted_once", "/tests")
        assert "1 passed" in result


def test_the_wheel_is_all_that_an_empty_environment_needs_to_buy_coins(dist, tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FOOTBRIDGE", "PYTHON", "VIRTUAL_ENV"))}
    output_of(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    tests = tmp_path / "tests"
    write_tests(tests, CHROMIUM)
    # The two commands. The program is not on the `PATH`.
    output_of(python, "-m", "pip", "install", "--quiet", f"{only(dist, '*.whl')}[playwright]", env=environment)
    result = output_of(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "credits_are_counted_once", cwd=tests, env=environment)
    assert "1 passed" in result
    # The wheel installs the command, too.
    assert output_of(tmp_path / "venv/bin/footbridge", "--version", env=environment) == output_of(BUILD.resolve() / "footbridge", "--version")


def test_pip_installs_the_wheel_by_its_name_without_a_network(dist, tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FOOTBRIDGE", "PYTHON", "VIRTUAL_ENV"))}
    output_of(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    # pytest is there already, as in the environment of this test.
    [site] = (tmp_path / "venv/lib").glob("python3*/site-packages")
    (site / "others.pth").write_text(f"{pathlib.Path(pytest.__file__).parent.parent}\n")
    output_of(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", dist, "footbridge-testing", env=environment)
    assert output_of(tmp_path / "venv/bin/footbridge", "--version", env=environment) == output_of(BUILD.resolve() / "footbridge", "--version")


class Registry(http.server.BaseHTTPRequestHandler):
    """A registry of npm packages with those of the release, as `npm publish` would put them there."""

    def do_GET(self):
        name = urllib.parse.unquote(self.path.lstrip("/"))
        content = self.server.files.get(name)
        described = self.server.packages.get(name)
        self.send_response(200 if content or described else 404)
        self.end_headers()
        self.wfile.write(content or json.dumps(described or {}).encode())

    def log_message(self, *_):
        """Writes nothing."""


@pytest.fixture
def registry(dist):
    """The address of a registry with the packages of the release."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        server.files = {file.name: file.read_bytes() for file in dist.glob("*.tgz")}
        server.packages = {}
        address = f"http://127.0.0.1:{server.server_port}"
        for file, content in server.files.items():
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                described = json.load(archive.extractfile("package/package.json"))
            if file != f"{described['name']}-{described['version']}.tgz":
                continue  # It has the kit and the program in one file, for those who have no registry.
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
            version = {**described, "dist": {"tarball": f"{address}/{file}", "integrity": integrity}}
            server.packages[described["name"]] = {
                "name": described["name"], "dist-tags": {"latest": described["version"]}, "versions": {described["version"]: version}}
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield address
        server.shutdown()
        thread.join()


@pytest.fixture
def npm(registry, tmp_path):
    """Runs npm in a new project, for which the registry is the only one."""
    (tmp_path / "package.json").write_text('{ "private": true, "type": "module" }\n')
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FOOTBRIDGE", "npm_"))}
    environment |= {"npm_config_registry": registry, "npm_config_cache": str(tmp_path / "cache"), "npm_config_update_notifier": "false"}

    def npm(command, *arguments):
        return output_of(command, *arguments, cwd=tmp_path, env=environment)

    return npm


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed.")
def test_npm_installs_the_kit_by_its_name_with_the_program_of_the_platform(npm, tmp_path):
    npm("npm", "install", "--no-audit", "--no-fund", "-D", "footbridge")
    installed = {folder.name for folder in (tmp_path / "node_modules").iterdir() if not folder.name.startswith(".")}
    assert "footbridge" in installed and len(installed) == 2, "the kit, and the program of one platform"
    assert npm(tmp_path / "node_modules/.bin/footbridge", "--version") == output_of(BUILD.resolve() / "footbridge", "--version")
    # As `npx footbridge serve`: npx finds the command here.
    serving = npm("npx", "--no", "footbridge", "exec", "--ephemeral", "--", "sh", "-c", "echo $FOOTBRIDGE_URL; exit 0")
    assert serving.startswith("http://127.0.0.1:")
    (tmp_path / "start.mjs").write_text(
        'import { Server } from "footbridge";\nconst server = await Server.find([]);\nconsole.log(server.url);\nawait server.stop();\n')
    assert npm("node", "start.mjs").startswith("http://127.0.0.1:")


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed.")
def test_the_command_of_the_npm_package_ends_with_the_exit_code_of_the_program(npm, tmp_path):
    npm("npm", "install", "--no-audit", "--no-fund", "footbridge")
    command = [tmp_path / "node_modules/.bin/footbridge", "exec", "--ephemeral", "--", "sh", "-c", "exit 7"]
    assert subprocess.run(command, capture_output=True).returncode == 7


JAVASCRIPT = """
import { chromium } from "playwright-core";
import { Server } from "footbridge";

const server = await Server.find(["--config", "footbridge.yaml"]);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
await server.inSession({ name: "credits", account: "eva" }, async (footbridge) => {
  const context = await browser.newContext({ locale: "en-US" });
  await footbridge.enter(context);
  const page = await context.newPage();
  await page.goto(footbridge.url);
  await page.getByRole("button", { name: "Buy 10 credits" }).click();
  await footbridge.expectPurchase("daylight.credits.10").approve();
  await page.getByText("10 left").waitFor();
  console.log("bought");
});
await browser.close();
await server.stop();
"""


def test_the_javascript_package_contains_the_program(dist, tmp_path):
    driver = pathlib.Path(playwright.__file__).parent / "driver"
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "playwright-core").symlink_to(driver / "package")
    with tarfile.open(only(dist, "footbridge-[0-9]*-linux-*.tgz")) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / "package").rename(modules / "footbridge")
    shutil.copy(PROJECT / "Examples/pytest/footbridge.yaml", tmp_path)
    (tmp_path / "buy.mjs").write_text(JAVASCRIPT)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOOTBRIDGE")}
    assert output_of(driver / "node", "buy.mjs", cwd=tmp_path, env={**environment, "CHROMIUM": CHROMIUM}) == "bought\n"
    described = json.loads((modules / "footbridge/package.json").read_text())
    assert (described["os"], described["bin"]) == (["linux"], {"footbridge": "native/footbridge"})

"""The recipes of docs/ci.md, and the workflows of Examples/ci: the tests run their steps, with stand-ins for what only a CI service has."""

import json
import os
import pathlib
import re
import shutil
import sys

import playwright
import pytest
import yaml

from browser_profiles import CHROMIUM
from footbridge_process import FIXTURES, PROJECT
from packages import make, only, output_of
from recipes import EXAMPLE, code, copy_project, installed_environment, job_environment, run, write_command

pytestmark = pytest.mark.timeout(600)
DRIVER = pathlib.Path(playwright.__file__).parent / "driver"
STAND_IN = PROJECT / "Tests" / "EndToEnd" / "playwright_test_stand_in.mjs"
GITHUB = EXAMPLE / ".github" / "workflows" / "test.yml"
GITLAB = EXAMPLE / ".gitlab-ci.yml"
#: The actions that a test replaces.
ACTIONS = {"actions/checkout", "actions/setup-python", "actions/setup-node", "actions/upload-artifact"}

linux = pytest.mark.skipif(sys.platform != "linux", reason="The packages are for Linux.")
fixed_ports = pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="The recipe has fixed ports, and only root makes networks.")

# The jobs.


def github_steps(job):
    """Returns the commands of a job as GitHub runs them, and their folder."""
    content = yaml.safe_load(GITHUB.read_text())["jobs"][job]
    for step in content["steps"]:
        assert "run" in step or step["uses"].split("@")[0] in ACTIONS
    folder = content.get("defaults", {}).get("run", {}).get("working-directory", ".")
    return "\n".join(step["run"] for step in content["steps"] if "run" in step), folder


def gitlab_steps(job):
    """Returns the commands of a job as GitLab runs them: one after another in one shell."""
    content = yaml.safe_load(GITLAB.read_text())[job]
    return "\n".join([*content["before_script"], *content["script"]]), "."


JOBS = [pytest.param(steps, id=steps.__name__.split("_")[0]) for steps in (github_steps, gitlab_steps)]


@pytest.fixture(scope="module")
def kits(packaging_tools, packed_program, tmp_path_factory):
    """The folder with the kits of `make dist`."""
    return make(packaging_tools, packed_program, tmp_path_factory.mktemp("kits"), "kits")


@pytest.fixture
def project(tmp_path):
    return copy_project(tmp_path)


def put(package, project, name):
    """Puts a package into a project, under the project's name for it."""
    (project / "vendor").mkdir(exist_ok=True)
    shutil.copy(package, project / "vendor" / name)


# pytest, from the wheel. A stand-in replaces `playwright install`: Debian's Chromium replaces the browser that it would download.

INSTALL_BROWSER = """
import os, pathlib, re
from playwright.sync_api import Error, sync_playwright
with sync_playwright() as playwright:
    try:
        playwright.chromium.launch().close()
    except Error as error:
        file = pathlib.Path(re.search(r"/\\S+", str(error).split("Executable doesn't exist at")[1])[0])
        file.parent.mkdir(parents=True)
        file.symlink_to(os.environ["CHROMIUM"])
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The environment of a job with Python as after setup-python. All jobs share it, so that its packages are installed only once."""
    folder = tmp_path_factory.mktemp("python")
    output_of(sys.executable, "-m", "venv", folder / "python")
    (folder / "install_browser.py").write_text(INSTALL_BROWSER)
    instead = f'[ "$*" = "install --with-deps chromium" ] && exec python {folder}/install_browser.py\nexec {folder}/python/bin/playwright "$@"'
    write_command(folder / "bin", "playwright", instead)
    return job_environment(folder / "bin", folder / "python/bin", PLAYWRIGHT_BROWSERS_PATH=str(folder / "browsers"), CHROMIUM=CHROMIUM)


@pytest.fixture
def python_job(project, kits, python):
    """Runs a script in a project with the wheel."""
    wheel = (project / "requirements.txt").read_text().strip().removeprefix("./vendor/").split("[")[0]
    put(only(kits, "*.whl"), project, wheel)
    return lambda script: run(script, project, python)


@linux
@pytest.mark.parametrize("steps", JOBS)
def test_the_steps_of_the_workflow_for_pytest_pass(python_job, steps):
    script, folder = steps("pytest")
    assert folder == "."
    code, output = python_job(script)
    assert code == 0, output
    assert "2 passed" in output


@linux
def test_the_workflow_for_pytest_fails_with_its_tests_and_leaves_a_transcript(python_job, project):
    tests = (project / "test_shop.py").read_text()
    (project / "test_shop.py").write_text(tests.replace("100 coins", "200 coins").replace("to_be_visible()", "to_be_visible(timeout=100)"))
    script, _ = github_steps("pytest")
    code, output = python_job(script)
    assert code == 1, output
    [upload] = [step for step in yaml.safe_load(GITHUB.read_text())["jobs"]["pytest"]["steps"] if step.get("if") == "failure()"]
    assert list((project / upload["with"]["path"]).iterdir())
    assert yaml.safe_load(GITLAB.read_text())["pytest"]["artifacts"]["paths"] == [upload["with"]["path"]]


# Playwright Test, from the tarball. Stand-ins replace npm and Playwright's runner.

NPM = """
set -e
[ "$*" = install ]
mkdir -p node_modules/@playwright/test node_modules/footbridge
tar -xzf {tarball} -C node_modules/footbridge --strip-components=1
ln -s {driver}/package node_modules/playwright-core
cp {stand_in} node_modules/@playwright/test/index.mjs
printf '{{ "name": "@playwright/test", "type": "module", "exports": "./index.mjs" }}' > node_modules/@playwright/test/package.json
"""
NPX = """
case "$*" in
"playwright install --with-deps chromium") ;;
"playwright test") exec {driver}/node node_modules/@playwright/test/index.mjs ;;
*) exit 1 ;;
esac
"""


@linux
@pytest.mark.parametrize("steps", JOBS)
def test_the_steps_of_the_workflow_for_playwright_test_pass(project, kits, tmp_path, steps):
    described = json.loads((project / "playwright/package.json").read_text())["devDependencies"]
    tarball = pathlib.PurePath(described["footbridge"].removeprefix("file:"))
    put(only(kits, "footbridge-[0-9]*-linux-*.tgz"), project, tarball.name)
    write_command(tmp_path / "bin", "npm", NPM.format(tarball=tarball, driver=DRIVER, stand_in=STAND_IN))
    write_command(tmp_path / "bin", "npx", NPX.format(driver=DRIVER))
    script, folder = steps("playwright")
    code, output = run(script, project / folder, job_environment(tmp_path / "bin", CHROMIUM=CHROMIUM))
    assert code == 0, output
    assert output.count("passed: ") == 1, output


# The recipes of docs/ci.md.


def test_the_manual_prints_the_files_of_the_example():
    for heading, language, file in (
        ("pytest", "ini", "pytest.ini"),
        ("Playwright Test", "js", "playwright/playwright.config.js"),
    ):
        assert code(heading, language) == (EXAMPLE / file).read_text()
    for job, heading in (("pytest", "pytest"), ("playwright", "Playwright Test")):
        assert code(heading, "sh").strip() == github_steps(job)[0] == gitlab_steps(job)[0].removeprefix("cd playwright\n")
    assert (EXAMPLE / "requirements.txt").read_text().strip() in code("pytest", "")


@pytest.fixture
def tested(project):
    """The example, with the fixtures of `Examples/pytest` instead of pytest-playwright."""
    shutil.copy(PROJECT / "Examples/pytest/conftest.py", project)
    return project


def page_at(url):
    """Returns a script that waits for a page and fails unless it has the shim."""
    return f"curl --silent --retry 60 --retry-delay 1 --retry-all-errors --fail {url} | grep -q /__footbridge/shim.js"


@fixed_ports
def test_a_vite_project_is_served_behind_footbridge(tested, tmp_path):
    write_command(tmp_path / "bin", "npm", '[ "$*" = "run dev" ] && exec python3 -m http.server 5173 --directory site')
    environment = installed_environment(tmp_path / "bin")
    recipe = code("A Vite project", "sh")
    result, output = run(f"({recipe}) &\n{page_at('http://localhost:8080')}", tested, environment, own_network=True)
    assert result == 0, output


@fixed_ports
def test_the_tests_of_a_vite_project_pass(tested, tmp_path):
    write_command(tmp_path / "bin", "npm", '[ "$*" = "run dev" ] && exec python3 -m http.server 5173 --directory site')
    # The site comes only from Vite.
    (tested / "pytest.ini").write_text("[pytest]\n")
    result, output = run(code("A Vite project", "sh", 1), tested, installed_environment(tmp_path / "bin"), own_network=True)
    assert result == 0, output
    assert "2 passed" in output


def test_the_tests_of_a_static_build_pass(tested, tmp_path):
    (tested / "site").rename(tested / "source")
    write_command(tmp_path / "bin", "npm", '[ "$*" = "run build" ] && exec cp -r source dist')
    result, output = run(code("A static build", "sh"), tested, installed_environment(tmp_path / "bin"))
    assert result == 0, output
    assert "2 passed" in output


@fixed_ports
def test_a_page_of_another_server_loads_the_shim_with_the_script_tag(tested):
    index = tested / "site" / "index.html"
    index.write_text(index.read_text().replace('    <script src="shop.js">', code("The script tag", "html") + '    <script src="shop.js">'))
    tests = tested / "test_shop.py"
    tests.write_text(tests.read_text().replace("page.goto(footbridge.url)", code("The script tag", "python").strip()))
    result, output = run(code("The script tag", "sh"), tested, installed_environment(), own_network=True)
    assert result == 0, output
    assert "2 passed" in output


@fixed_ports
@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*.storekit")), ids=lambda file: file.stem)
def test_a_storekit_file_of_an_xcode_project_is_a_catalogue_unchanged(project, file):
    (project / "MyApp").mkdir()
    shutil.copy(file, project / "MyApp" / "Products.storekit")
    recipe = "footbridge catalog MyApp/Products.storekit\nfootbridge serve --root site --catalog MyApp/Products.storekit"
    result, output = run(f"({recipe}) &\n{page_at('http://localhost:8080')}", project, installed_environment(), own_network=True)
    assert result == 0, output
    products = re.findall(r'"productID" : "(.*?)"', file.read_text())
    assert products and all(product in output for product in products)

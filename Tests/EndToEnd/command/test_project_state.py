"""By default the state belongs to the project: its folder decides."""

import contextlib
import os
import pathlib
import shutil

import pytest

from footbridge_process import FIXTURES, run, serve
from test_tls import certificate_of, serve_tls

CATALOG = FIXTURES / "onsidekit-example.storekit"
PRODUCT = "com.product.example.consumable"


@pytest.fixture
def home(tmp_path):
    """What the servers of one user have in common."""
    return {"XDG_STATE_HOME": str(tmp_path / "state-home")}


@pytest.fixture
def users(home):
    """The user's folder."""
    return pathlib.Path(home["XDG_STATE_HOME"]) / "footbridge"


@pytest.fixture
def projects(tmp_path, shop_root):
    """The options of two projects: one with a configuration file, and one that is only a folder."""
    configured, plain = tmp_path / "configured", tmp_path / "plain" / "site"
    for folder in (configured, plain):
        shutil.copytree(shop_root, folder)
    (configured / "footbridge.yaml").write_text(f"root: .\ncatalog: {CATALOG}\n")
    return ["--config", configured / "footbridge.yaml"], ["--root", plain, "--catalog", CATALOG]


def session_cookie(page):
    [value] = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "footbridge_session"]
    return value


def buy(page, url):
    """Buys a product, and returns the id of its transaction."""
    page.goto(url)
    page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)
    page.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
    page.wait_for_function("seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === 'purchased'))")
    return transactions(page, url)[0]


def transactions(page, url):
    """Returns the ids of the unfinished transactions of the app at this address."""
    page.goto(url)
    return page.evaluate("onside.getTransactions().then(all => all.map(each => each.id))")


def auto(options, home, **more):
    return serve(*options, "--present", "auto", environment=home, **more)


def test_projects_side_by_side_share_neither_purchases_nor_cookies(projects, home, page):
    first, second = projects
    with auto(first, home) as one, auto(second, home) as other:
        bought = buy(page, one.url)
        cookie = session_cookie(page)
        assert transactions(page, other.url) == []
        assert buy(page, other.url) != bought
        # Browsers have one cookie for all ports. Neither server replaces it, and each has a session of its own for it.
        assert session_cookie(page) == cookie
        assert transactions(page, one.url) == [bought]


def test_a_project_retains_its_purchases_and_another_one_on_the_same_port_has_none(projects, home, page):
    first, second = projects
    with auto(first, home) as server:
        port = server.port
        bought = buy(page, server.url)
    with auto(second, home, port=port) as server:
        assert transactions(page, server.url) == []
    with auto(first, home, port=port) as server:
        assert transactions(page, server.url) == [bought]


def test_two_servers_of_one_project_cannot_run_at_once(projects, home):
    first, _ = projects
    with auto(first, home):
        result = run("serve", "--port", 0, *first, environment=home)
    assert result.returncode == os.EX_TEMPFAIL and "configured" in result.stderr and "--state" in result.stderr


def test_the_log_names_the_state_folder_and_the_folder_names_its_project(projects, home, users, tmp_path):
    _, second = projects
    with auto(second, home) as server:
        line = server.wait_for_log("The state of the project", str(tmp_path / "plain" / "site"))
    [folder] = (users / "projects").iterdir()
    assert str(folder) in line and folder.name.startswith("plain-site-")
    assert (folder / "project").read_text() == f"{tmp_path / 'plain' / 'site'}\n"


def test_a_moved_project_starts_empty_and_its_old_state_is_used_with_state(projects, home, users, tmp_path, page):
    _, second = projects
    with auto(second, home) as server:
        port = server.port
        bought = buy(page, server.url)
    [old] = (users / "projects").iterdir()
    (tmp_path / "plain").rename(tmp_path / "moved")
    moved = ["--root", tmp_path / "moved" / "site", "--catalog", CATALOG]
    with auto(moved, home, port=port) as server:
        assert transactions(page, server.url) == []
    with auto([*moved, "--state", old], home, port=port) as server:
        assert transactions(page, server.url) == [bought]


def test_all_projects_of_a_user_share_one_authority(projects, home, users):
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(serve_tls(*options, environment=home)) for options in projects]
        issuers = {certificate_of(server).issuer for server in servers}
    assert len(issuers) == 1
    assert str(users / "tls-authority.crt") in run("trust", *projects[0], environment=home).stdout

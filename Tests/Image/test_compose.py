"""Tests docker/compose.yaml, with its images and commands."""

import re
import signal
import subprocess

import pytest
from playwright.sync_api import expect

import builder
import stand_ins
from browser_profiles import CHROMIUM
from compose import Composition
from footbridge_process import PROJECT

FILE = PROJECT / "docker" / "compose.yaml"


@pytest.fixture(scope="module")
def images():
    return {
        "python:3.12-slim-bookworm": stand_ins.python(), "nginx:1.28-bookworm": stand_ins.nginx(), "haproxy:3.0-bookworm": stand_ins.haproxy(),
        "postgres:17-bookworm": stand_ins.postgresql(),
    }


@pytest.fixture
def compose(image, images, build_image, tmp_path):
    """Reads the compose file, with variables."""
    def build(section):
        context = (FILE.parent / section["context"]).resolve()
        if section["dockerfile"] == "docker/Dockerfile":
            return build_image("localhost/footbridge-more", **section["args"]) if "args" in section else image
        arguments = {name: images[value].tag for name, value in section.get("args", {}).items()}
        return builder.build("localhost/footbridge-tests", context, context / section["dockerfile"], arguments=arguments)

    folder = tmp_path / "volumes"
    folder.mkdir()
    compositions = []

    def read(**variables):
        compositions.append(Composition(FILE, folder, images=images, build=build, variables=variables))
        return compositions[-1]

    yield read
    for composition in compositions:
        composition.down()


@pytest.fixture
def composition(compose):
    return compose()


def test_the_tests_pass_over_http_and_https_under_the_name_of_the_service(composition):
    code = composition.up("tests", exit_code=True)
    output = composition.running["tests"].output
    assert code == 0, output + composition.running["footbridge"].output
    assert "6 passed" in output


def test_the_exit_code_is_that_of_the_tests(composition):
    composition.services["tests"]["environment"]["FOOTBRIDGE_TLS_URL"] = "https://footbridge:1"
    assert composition.up("tests", exit_code=True) == 1
    output = composition.running["tests"].output
    assert "3 passed" in output and "3 errors" in output


def test_the_demo_services_are_started_only_by_their_profile(composition):
    assert {name for name, service in composition.services.items() if "profiles" not in service} == {"site", "footbridge", "tests"}
    assert all("ports" not in composition.services[name] for name in ("site", "footbridge", "tests"))


def started(composition, page, profile, name, folder):
    """Starts a service of a profile, with secrets made as a page of the manual says."""
    recipes = re.findall(r"^```sh\n(.*?)^```", (PROJECT / page).read_text(), re.DOTALL | re.MULTILINE)
    [recipe] = [text for text in recipes if f"--profile {profile} up" in text]
    commands, up = recipe.rsplit("docker compose", 1)
    assert up.split() == f"-f docker/compose.yaml --profile {profile} up --build {name}".split()
    (folder / "docker" / profile).mkdir(parents=True)
    subprocess.run(["sh", "-ec", re.sub(r"\bsudo ", "", commands)], cwd=folder, check=True, capture_output=True)
    for secret in composition.content["secrets"].values():
        secret["file"] = str(folder / "docker" / secret["file"])
    composition.up(name)
    return composition


def visitor(composition, name, launch, folder):
    """Launches Chromium on a host of the network, where shop.example is a service."""
    composition.network.add("visitor")
    chromium = folder / "chromium"
    chromium.write_text(f'#!/bin/sh\nexec nsenter --net=/run/netns/{composition.network.namespace("visitor")} {CHROMIUM} "$@"\n')
    chromium.chmod(0o755)
    return launch(chromium, f"--host-resolver-rules=MAP shop.example {composition.network.addresses[name]}")


@pytest.fixture
def demo(compose, tmp_path):
    demo = started(compose(DEMO_HOST="shop.example:8443"), "docs/ci.md", "demo", "demo", tmp_path)
    demo.running["demo-footbridge"].wait_for_line("ready")
    return demo


@pytest.fixture
def replicas(compose, tmp_path):
    return started(compose(REPLICAS_HOST="shop.example:8080"), "docs/replicas.md", "replicas", "balancer", tmp_path)


def test_visitors_of_the_demo_have_sessions_of_their_own_over_https_behind_the_proxy(demo, launch, tmp_path):
    browser = visitor(demo, "demo", launch, tmp_path)
    cookies = set()
    for _ in range(2):
        context = browser.new_context(locale="en-US", ignore_https_errors=True)
        page = context.new_page()
        page.goto("https://shop.example:8443")
        expect(page.get_by_text("0 left", exact=True)).to_be_visible()
        page.get_by_role("button", name="Buy 10 credits").click()
        page.get_by_role("dialog", name="Sign in to Onside").get_by_role("button", name="Sign in").click()
        page.get_by_role("dialog", name="Buy 10 credits?").get_by_role("button", name="Buy").click()
        expect(page.get_by_text("10 left")).to_be_visible()
        [cookie] = [cookie for cookie in context.cookies() if cookie["name"] == "footbridge_session"]
        # The server believes the proxy that the visitor uses https.
        assert cookie["secure"]
        cookies.add(cookie["value"])
    assert len(cookies) == 2
    # Nobody reaches the control API through the proxy.
    assert page.evaluate("fetch('/__footbridge/api/v1').then(answer => answer.status)") == 404
    browser.close()


def test_a_page_continues_while_replicas_behind_haproxy_are_stopped(replicas, launch, tmp_path):
    browser = visitor(replicas, "balancer", launch, tmp_path)
    page = browser.new_page(locale="en-US")
    page.goto("http://shop.example:8080")
    page.get_by_role("button", name="Buy coins").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    page.get_by_role("dialog").get_by_role("button", name="Buy").click()
    expect(page.get_by_text("100 coins", exact=True)).to_be_visible()
    for number in (1, 2):
        # One of them has the session, or neither.
        assert replicas.running[f"replica{number}"].signal(signal.SIGTERM) == 0
        page.get_by_role("button", name="Buy coins").click()
        page.get_by_role("dialog").get_by_role("button", name="Buy").click()
        expect(page.get_by_text(f"{number + 1}00 coins", exact=True)).to_be_visible()
    browser.close()

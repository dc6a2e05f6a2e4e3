"""The workflows of .github: their form, the scripts of their steps, and what the scripts do here."""

import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import pytest
import yaml

from footbridge_process import PROJECT

WORKFLOWS = sorted([*PROJECT.glob(".github/workflows/*.yml"), *PROJECT.glob("Examples/*/.github/workflows/*.yml")])
OWN = {name: yaml.safe_load((PROJECT / ".github" / "workflows" / f"{name}.yml").read_text()) for name in ("ci", "release")}


def run(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=60, **options)


def steps(workflow):
    return [(job, step) for job, described in OWN[workflow]["jobs"].items() for step in described["steps"]]


def test_the_workflows_have_the_form_of_their_schema():
    checked = run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)
    assert checked.returncode == 0, checked.stdout


def test_the_workflows_have_no_mistake_that_actionlint_knows():
    # A build of actionlint that has its program in the package.
    checked = run(f"{sysconfig.get_path('scripts')}/actionlint", "-no-color", *WORKFLOWS)
    assert checked.returncode == 0, checked.stdout


def test_continuous_integration_runs_what_its_script_runs():
    assert [step["run"] for _, step in steps("ci") if "run" in step] == ["scripts/setup-runner", ".ci/run"]


@pytest.mark.parametrize("workflow", OWN)
def test_each_step_runs_a_script_or_a_target_that_exists(workflow):
    targets = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    for job, step in steps(workflow):
        assert ("run" in step) != ("uses" in step), job
        first, *rest = step.get("run", "true").split()
        if first == "make":
            assert set(rest) <= targets, step
        elif "/" in first:
            assert os.access(PROJECT / first, os.X_OK), step
        else:
            assert first in ("true", "mkdir"), step


def test_each_artifact_that_the_release_takes_is_made():
    release = OWN["release"]["jobs"]
    made = set()
    for described in release.values():
        for step in described["steps"]:
            if step.get("uses", "").startswith("actions/upload-artifact"):
                for runner in described.get("strategy", {}).get("matrix", {}).get("runner", [""]):
                    made.add(step["with"]["name"].replace("${{ matrix.runner }}", runner))
    [assemble] = [step["run"] for _, step in steps("release") if step.get("run", "").startswith("scripts/assemble-release")]
    assert {pathlib.PurePath(part).name for part in assemble.split()[2:]} == made


@pytest.mark.parametrize("script", ["setup-runner", "pack-image", "publish-npm", "publish-release"])
def test_the_scripts_that_need_a_service_are_valid(script):
    assert run("sh", "-n", PROJECT / "scripts" / script).returncode == 0


def test_only_a_tag_of_the_version_of_all_parts_is_released():
    version = re.search(r'"version": "(.*)"', (PROJECT / "web" / "testing" / "package.json").read_text())[1]
    check = PROJECT / "scripts" / "check-version"
    assert run(sys.executable, check, f"v{version}").returncode == 0
    wrong = run(sys.executable, check, "v99.0.0")
    assert wrong.returncode == 1 and f"the program has {version}" in wrong.stderr


def platform(folder, files):
    """Writes the packages of a platform, with their checksums."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    lines = [f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in files.items()]
    (folder / "SHA256SUMS").write_text("".join(lines))
    return folder


def test_a_release_has_the_packages_of_all_platforms_and_their_checksums(tmp_path):
    linux = platform(tmp_path / "linux", {"footbridge-1.0.0.tgz": "kit", "footbridge-linux-x64-1.0.0.tgz": "program"})
    macos = platform(tmp_path / "macos", {"footbridge-1.0.0.tgz": "other", "footbridge-darwin-arm64-1.0.0.tgz": "program"})
    files = tmp_path / "files"
    made = run(sys.executable, PROJECT / "scripts" / "assemble-release", files, linux, macos)
    assert made.returncode == 0, made.stderr
    assert run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=files).returncode == 0
    assert {file.name for file in files.iterdir()} == {
        "SHA256SUMS", "footbridge-1.0.0.tgz", "footbridge-darwin-arm64-1.0.0.tgz", "footbridge-linux-x64-1.0.0.tgz"}
    assert (files / "footbridge-1.0.0.tgz").read_text() == "kit"


def test_a_package_that_is_not_as_its_checksum_says_is_not_released(tmp_path):
    linux = platform(tmp_path / "linux", {"footbridge-1.0.0.tgz": "kit"})
    (linux / "footbridge-1.0.0.tgz").write_text("something else")
    made = run(sys.executable, PROJECT / "scripts" / "assemble-release", tmp_path / "files", linux)
    assert made.returncode == 1 and "footbridge-1.0.0.tgz" in made.stderr


def test_the_programs_are_published_before_the_kit_that_installs_one(tmp_path):
    (tmp_path / "npm").write_text('#!/bin/sh\necho "$@"\n')
    (tmp_path / "npm").chmod(0o755)
    files = platform(tmp_path / "files", {"footbridge-1.0.0.tgz": "kit", "footbridge-1.0.0-linux-x64.tgz": "both"})
    published = run(PROJECT / "scripts" / "publish-npm", files, env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"})
    assert published.returncode == 0, published.stderr
    assert [line.split()[-1] for line in published.stdout.splitlines()] == [
        *(f"./footbridge-{each}-1.0.0.tgz" for each in ("darwin-arm64", "linux-arm64", "linux-x64")), "./footbridge-1.0.0.tgz"]

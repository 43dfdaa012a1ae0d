#!/usr/bin/env python3
"""steps.py action FILE [INPUT=VALUE]...
steps.py gitlab FILE JOB
steps.py docker FILE

Prints what runs in a composite action or a job of GitLab as a shell script; or the instructions of a Dockerfile, a
line each, with a tab behind the first word. Steps of an action that use other actions are left out: none of them is here.
"""

import re
import shlex
import sys

import yaml


def action(path, *given):
    document = yaml.safe_load(open(path, encoding="utf-8"))
    values = {f"inputs.{name}": row["default"] for name, row in document["inputs"].items()}
    for word in given:
        name, value = word.split("=", 1)
        assert f"inputs.{name}" in values, name
        values[f"inputs.{name}"] = value
    for step in document["runs"]["steps"]:
        condition = step.get("if", "always()")
        assert condition in ("always()", "inputs.package == ''"), condition
        if "run" not in step or (condition != "always()" and values["inputs.package"]):
            continue
        assert "${{" not in step["run"], "an expression in a script runs whatever is in it"
        words = ["env"]
        for name, value in step.get("env", {}).items():
            words.append(name + "=" + re.sub(r"\$\{\{ *([a-z0-9.]+) *\}\}", lambda m: values[m[1]], value))
        words += ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        print(shlex.join(words))


def gitlab(path, job):
    document = yaml.safe_load(open(path, encoding="utf-8"))
    own = document[job]
    base = document[own["extends"]]
    for name, value in {**base["variables"], **own.get("variables", {})}.items():
        if name.startswith("PGFSM_"):
            print(f"export {name}={shlex.quote(value)}")
    print("\n".join(base["script"]))


def docker(path):
    text = re.sub(r"^#.*\n", "", open(path, encoding="utf-8").read(), flags=re.M)
    for line in re.sub(r"\s*\\\n\s*", " ", text).splitlines():
        if line:
            print(*line.split(maxsplit=1), sep="\t")


if sys.argv[1] != "docker":
    print("set -e")
{"action": action, "gitlab": gitlab, "docker": docker}[sys.argv[1]](*sys.argv[2:])

"""workflow.py WORKFLOW ACTION STEPS

Runs the jobs of a workflow of GitHub Actions that uses our action, one after the other: each job of a matrix in a folder
of its own, with what the runner sets. What a job uploads goes to artifacts/. STEPS is tests/package/steps.py. PATH has
pgfsm, and run-machines stands beside the folder of the action. The last job's output is printed.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys

import yaml

workflow, action, steps = sys.argv[1:]
document = yaml.safe_load(open(workflow, encoding="utf-8"))
RUNNER = {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "7261447", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_EVENT_NAME": "schedule"}
UPLOADED = ("pgfsm-report", "counterexamples", ".pgfsm")
top = os.getcwd()
done = {}


def rows(job):
    matrix = job.get("strategy", {}).get("matrix", {})
    for values in itertools.product(*matrix.values()):
        yield dict(zip(matrix, values))


def fill(text, row):
    def value(match):
        assert match[1].startswith("matrix."), match[0]
        return str(row[match[1].removeprefix("matrix.")])
    return re.sub(r"\$\{\{ *([a-z.]+) *\}\}", value, text)


def run_action(given, row, env, folder):
    given = {name: fill(str(text), row) for name, text in given.items()}
    script = subprocess.run([sys.executable, steps, "action", action, *(f"{k}={v}" for k, v in given.items())],
                            check=True, capture_output=True, text=True).stdout
    script = script.replace("/usr/share/pgfsm/", os.path.dirname(os.path.dirname(os.path.abspath(action))) + "/")
    run = subprocess.run(["bash", "-c", script], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    artifact = os.path.join(top, "artifacts", given.get("name", "pgfsm"))
    assert not os.path.exists(artifact), f"two artifacts are called {artifact}"
    for name in UPLOADED:
        if os.path.isdir(os.path.join(folder, name)):
            shutil.copytree(os.path.join(folder, name), os.path.join(artifact, name))
    return run.returncode, run.stdout


def download(given, folder):
    pattern = given["pattern"].removesuffix("*")
    for name in os.listdir(os.path.join(top, "artifacts")):
        if name.startswith(pattern):
            shutil.copytree(os.path.join(top, "artifacts", name), os.path.join(folder, given["path"], name))


def run_job(job, row, folder):
    env = {**os.environ, **RUNNER, **{k: v for k, v in job.get("env", {}).items() if k != "PGHOST"}}
    env["GITHUB_ACTION_PATH"] = os.path.dirname(os.path.abspath(action))
    env["GITHUB_STEP_SUMMARY"] = folder + ".summary"
    env["GITHUB_OUTPUT"] = folder + ".output"
    output = ""
    for step in job["steps"]:
        uses = step.get("uses", "")
        if "run" in step:
            subprocess.run(["bash", "-ec", step["run"]], check=True, cwd=folder, stdout=subprocess.DEVNULL,
                           env={**env, **step.get("env", {})})
        elif uses.startswith("actions/checkout@"):
            shutil.copytree(os.path.join(top, "repository"), folder)
        elif uses.startswith("actions/download-artifact@"):
            download(step["with"], folder)
        else:
            assert uses.startswith("OWNER/pgfsm/ci/action@"), uses
            status, output = run_action(step["with"], row, env, folder)
            if status:
                return status, output
    return 0, output


for name, job in document["jobs"].items():
    needs = job.get("needs")
    if needs:
        assert needs in done
        assert all(s == 0 for s in done[needs]) or job["if"] == "${{ !cancelled() }}", "it would not run"
    done[name] = []
    for row in rows(job) or [{}]:
        folder = os.path.join(top, "-".join([name, *map(str, row.values())]))
        status, output = run_job(job, row, folder)
        subprocess.run(["psql", "-qX", "-c", "DROP ROLE IF EXISTS pgfsm_ci"], check=True, env=os.environ)
        print(f"{folder}: exit status {status}", file=sys.stderr)
        done[name].append(status)
        if status and len(done[name]) < len(list(rows(job))) and job["strategy"].get("fail-fast", True):
            sys.exit("the others are cancelled")
print(output, end="")
sys.exit(done[name][-1])

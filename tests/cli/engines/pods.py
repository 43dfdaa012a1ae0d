"""pods.py MANIFEST [INDEX]

Runs the Jobs of a manifest for Kubernetes: each pod's command is a process with the variables that Kubernetes sets. The
folder machines/ is the content of the config map, and shards/ the volume that the pods share. A pod that fails is tried
again, or not, as its Job says. The first pod with INDEX is killed, as if its node were gone. The last Job's output is
printed.
"""

import os
import re
import signal
import subprocess
import sys
import threading

import yaml

manifest, *lost = sys.argv[1:]
UID = "5f1c2a8e-3f8e-4e5e-9a57-4b5f0e9f6b11"
lost = {int(index) for index in lost}
failed = []


def variables(container, index):
    out = {} if index is None else {"JOB_COMPLETION_INDEX": str(index)}
    for row in container.get("env", []):
        if "value" in row:
            out[row["name"]] = row["value"]
        else:
            path = row["valueFrom"]["fieldRef"]["fieldPath"]
            assert path == "metadata.labels['batch.kubernetes.io/controller-uid']", path
            out[row["name"]] = UID
    return out


def expand(word, names):
    """$(NAME) is the variable's value, if there is one, and $$(NAME) is $(NAME)."""
    return re.sub(r"\$(\$?)\(([A-Za-z_][A-Za-z0-9_]*)\)",
                  lambda m: f"$({m[2]})" if m[1] else names.get(m[2], m[0]), word)


def check_mounts(pod, container):
    """All pods run in the current folder, which has what they mount."""
    names = {v["name"]: v.get("configMap", {}).get("name") or v["persistentVolumeClaim"]["claimName"]
             for v in pod["volumes"]}
    for mount in container["volumeMounts"]:
        parent, name = os.path.split(mount["mountPath"])
        assert parent == container["workingDir"] and names[mount["name"]] == "pgfsm-" + name, mount


def run_pod(pod, index):
    (container,) = pod["containers"]
    own = variables(container, index)
    words = [expand(word, own) for word in container["command"] + container["args"]]
    check_mounts(pod, container)
    process = subprocess.Popen(words, env={**os.environ, **own}, start_new_session=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    if index in lost:
        lost.discard(index)
        os.killpg(process.pid, signal.SIGKILL)
    output = process.communicate()[0]
    return 128 - process.returncode if process.returncode < 0 else process.returncode, output


def action_for(spec, status):
    for rule in spec.get("podFailurePolicy", {}).get("rules", []):
        codes = rule["onExitCodes"]
        if (status in codes["values"]) == (codes["operator"] == "In"):
            return rule["action"]
    return "Count"


def run_index(name, spec, index):
    tries = spec.get("backoffLimitPerIndex", spec.get("backoffLimit", 6)) + 1
    while True:
        status, output = run_pod(spec["template"]["spec"], index)
        tries -= 1
        print(f"{name} {index}: exit status {status}", file=sys.stderr)
        if status == 0 or tries == 0 or action_for(spec, status) == "FailIndex":
            break
    if status:
        failed.append((name, index))
        limit = spec.get("maxFailedIndexes")
        if limit is not None and sum(n == name for n, _ in failed) > limit:
            sys.exit(f"{name}: too many indexes failed: Kubernetes stops the others")
    return status, output


documents = list(yaml.safe_load_all(open(manifest, encoding="utf-8")))
jobs = [d for d in documents if d["kind"] == "Job"]
results = {}
threads = []
os.makedirs("shards")
for job in jobs:
    name, spec = job["metadata"]["name"], job["spec"]
    indexed = spec.get("completionMode") == "Indexed"
    assert not indexed or spec["parallelism"] == spec["completions"], "this starts all pods at once"
    for index in range(spec["completions"]) if indexed else [None]:
        def work(name=name, spec=spec, index=index):
            results[name, index] = run_index(name, spec, index)
        threads.append(threading.Thread(target=work))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
status, output = results[jobs[-1]["metadata"]["name"], None]
print(output, end="")
sys.exit(status)

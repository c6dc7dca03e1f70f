"""Validates deploy/kubernetes: each document by Kubernetes' own schemas, what refers to what, and the files inside of ConfigMaps.

Usage: check-kubernetes.py PROGRAM, a build of convert-server.
"""

import pathlib
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

# The oldest that has everything that is used (sleeping before the end is on by default since 1.30), and the newest that the validator knows.
VERSIONS = ["1.30", kubernetes_validate.latest_version()]

folder = pathlib.Path(__file__).resolve().parent.parent / "deploy/kubernetes"
program = sys.argv[1]
documents = [
    (file.name, document) for file in sorted(folder.rglob("*.yaml")) for document in yaml.safe_load_all(file.read_text())
]
faults = []


def named(kind):
    return {document["metadata"]["name"]: document for _, document in documents if document["kind"] == kind}


def check_schemas():
    for name, document in documents:
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                faults.append(f"{name}: {version}: {error.message}")


def check_references():
    pods = {name: each["spec"]["template"] for name, each in named("Deployment").items()}
    labels = [template["metadata"]["labels"] for template in pods.values()]
    selectors = [(name, each["spec"]["selector"]) for name, each in named("Service").items()]
    selectors += [(name, each["spec"]["selector"]["matchLabels"]) for name, each in named("PodDisruptionBudget").items()]
    selectors += [(name, each["spec"]["selector"]["matchLabels"]) for name, each in named("Deployment").items()]
    for name, selector in selectors:
        if not any(selector.items() <= each.items() for each in labels):
            faults.append(f"{name}: no pod has the labels {selector}")
    for name, each in named("HorizontalPodAutoscaler").items():
        if each["spec"]["scaleTargetRef"]["name"] not in pods:
            faults.append(f"{name}: there is no such Deployment")
    for name, template in pods.items():
        check_pod(name, template["spec"])


def check_pod(name, pod):
    maps = named("ConfigMap")
    for volume in pod["volumes"]:
        source = volume["configMap"]
        data = maps.get(source["name"], {}).get("data", {})
        missing = [item["key"] for item in source.get("items", []) if item["key"] not in data]
        if not data or missing:
            faults.append(f"{name}: the volume {volume['name']} has no {source['name']} {missing}")
    for container in pod.get("initContainers", []) + pod["containers"]:
        ports = {port.get("name") for port in container["ports"]}
        for kind in ["startupProbe", "livenessProbe", "readinessProbe"]:
            port = container.get(kind, {}).get("httpGet", {}).get("port")
            if port is not None and port not in ports:
                faults.append(f"{name}: the {kind} asks a port {port} that is not there")
        security = container["securityContext"]
        if not security["readOnlyRootFilesystem"] or security["allowPrivilegeEscalation"] or security["capabilities"] != {"drop": ["ALL"]}:
            faults.append(f"{name}: {container['name']} may do too much")
    if not pod["securityContext"]["runAsNonRoot"]:
        faults.append(f"{name}: may run as root")
    sleeps = [container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0) for container in pod["containers"]]
    if any(each.get("restartPolicy") == "Always" for each in pod.get("initContainers", [])) and min(sleeps) == 0:
        faults.append(f"{name}: the application ends while requests still come in by its sidecar")
    grace = pod["terminationGracePeriodSeconds"]
    drains = [each for container in pod.get("initContainers", []) + pod["containers"] for each in container.get("env", [])]
    needed = max(sleeps) + sum(int(each["value"]) for each in drains if each["name"].startswith("CONVERT_DRAIN_"))
    if grace <= needed:
        faults.append(f"{name}: {grace} s to end are less than the drain takes")


def check_files():
    """Profiles and configurations as the volumes lay them out are free of faults."""
    for name, each in named("ConfigMap").items():
        with tempfile.TemporaryDirectory() as directory:
            profiles = pathlib.Path(directory, "profiles")
            profiles.mkdir()
            for file, text in each["data"].items():
                (pathlib.Path(directory) if file == "convert.json" else profiles).joinpath(file).write_text(text)
            words = [program, "check", *map(str, sorted(profiles.iterdir()))]
            if "convert.json" in each["data"]:
                words += ["--config", f"{directory}/convert.json"]
            outcome = subprocess.run(words, capture_output=True, text=True, check=False)
            if outcome.returncode != 0:
                faults.append(f"{name}: {outcome.stdout}{outcome.stderr}")


check_schemas()
check_references()
check_files()
print("\n".join(faults), end="\n" if faults else "")
sys.exit(1 if faults or len(documents) < 7 else 0)

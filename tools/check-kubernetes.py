"""Validates deploy/kubernetes: each document by Kubernetes' own schemas, the references between them, and the files in ConfigMaps.

Usage: check-kubernetes.py PROGRAM, a build of convert-server.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

# The oldest version with every feature in use (`preStop.sleep` is on by default since 1.30), and the newest one that the validator knows.
VERSIONS = ["1.30", kubernetes_validate.latest_version()]

folder = pathlib.Path(__file__).resolve().parent.parent / "deploy/kubernetes"
program = sys.argv[1]
everything = [
    (file.relative_to(folder), document) for file in sorted(folder.rglob("*.yaml")) for document in yaml.safe_load_all(file.read_text())
]
# Kustomize's own files are not objects of Kubernetes.
documents = [(str(name), each) for name, each in everything if each["kind"] != "Kustomization"]
kustomizations = [(name, each) for name, each in everything if each["kind"] == "Kustomization"]
errors = []


def named(kind):
    return {document["metadata"]["name"]: document for _, document in documents if document["kind"] == kind}


def check_schemas():
    for name, document in documents:
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                errors.append(f"{name}: {version}: {error.message}")


def check_references():
    pods = {name: each["spec"]["template"] for name, each in named("Deployment").items()}
    labels = [template["metadata"]["labels"] for template in pods.values()]
    selectors = [(name, each["spec"]["selector"]) for name, each in named("Service").items()]
    selectors += [(name, each["spec"]["selector"]["matchLabels"]) for name, each in named("PodDisruptionBudget").items()]
    selectors += [(name, each["spec"]["selector"]["matchLabels"]) for name, each in named("Deployment").items()]
    for name, selector in selectors:
        if not any(selector.items() <= each.items() for each in labels):
            errors.append(f"{name}: no pod has the labels {selector}")
    for name, each in named("HorizontalPodAutoscaler").items():
        if each["spec"]["scaleTargetRef"]["name"] not in pods:
            errors.append(f"{name}: there is no such Deployment")
    for name, template in pods.items():
        check_pod(name, template["spec"])


def check_kustomizations():
    """Each folder's kustomization lists all of its files and every image in them."""
    for name, each in kustomizations:
        files = {str(file.relative_to(name.parent)) for file, _ in everything if file.parent == name.parent and file != name}
        if set(each["resources"]) != files:
            errors.append(f"{name}: the resources are not {sorted(files)}")
        named_images = {image["name"] for image in each["images"]}
        for file, document in documents:
            if document["kind"] != "Deployment" or pathlib.Path(file).parent != name.parent:
                continue
            pod = document["spec"]["template"]["spec"]
            used = {container["image"] for container in pod.get("initContainers", []) + pod["containers"]}
            if used != named_images:
                errors.append(f"{name}: the images are {sorted(used)}")
    folders = {name.parent for name, _ in kustomizations}
    if any(pathlib.Path(file).parent not in folders for file, _ in documents):
        errors.append("a manifest is in no kustomization")


def check_policies():
    """Every pod has a NetworkPolicy, and the policy's ports are ports of the pod, by name or number."""
    policies = named("NetworkPolicy").values()
    for name, each in named("Deployment").items():
        template = each["spec"]["template"]
        own = [
            policy["spec"] for policy in policies if policy["spec"]["podSelector"]["matchLabels"].items() <= template["metadata"]["labels"].items()
        ]
        if not own:
            errors.append(f"{name}: there is no NetworkPolicy")
        containers = template["spec"].get("initContainers", []) + template["spec"]["containers"]
        ports = {port.get(key) for container in containers for port in container["ports"] for key in ("name", "containerPort")}
        for policy in own:
            used = {port["port"] for rule in policy["ingress"] for port in rule.get("ports", [])}
            if not used <= ports:
                errors.append(f"{name}: the NetworkPolicy names the ports {sorted(used - ports, key=str)}")


def check_pod_monitor():
    """The PodMonitor, whose kind the validator does not know, selects pods of a Deployment and one of their ports."""
    spec = yaml.safe_load((folder.parent / "prometheus/podmonitor.yaml").read_text())["spec"]
    pods = [each["spec"]["template"] for each in named("Deployment").values()]
    selected = [pod["spec"] for pod in pods if spec["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()]
    containers = [each for pod in selected for each in pod.get("initContainers", []) + pod["containers"]]
    ports = {port.get("name") for container in containers for port in container["ports"]}
    if not {endpoint["port"] for endpoint in spec["podMetricsEndpoints"]} <= ports:
        errors.append(f"the PodMonitor names other ports than {sorted(ports)}")


def bytes_of(text):
    """The bytes of a size in the notation of Kubernetes or of the program."""
    units = {"MiB": 2**20, "Mi": 2**20, "GiB": 2**30, "Gi": 2**30}
    for unit, factor in units.items():
        if str(text).endswith(unit):
            return int(str(text).removesuffix(unit)) * factor
    return int(text)


def check_pod(name, pod):
    maps = named("ConfigMap")
    for volume in pod["volumes"]:
        source = volume["configMap"]
        data = maps.get(source["name"], {}).get("data", {})
        missing = [item["key"] for item in source.get("items", []) if item["key"] not in data]
        if not data or missing:
            errors.append(f"{name}: the volume {volume['name']} has no {source['name']} {missing}")
    for container in pod.get("initContainers", []) + pod["containers"]:
        ports = {port.get("name") for port in container["ports"]}
        for kind in ["startupProbe", "livenessProbe", "readinessProbe"]:
            port = container.get(kind, {}).get("httpGet", {}).get("port")
            if port is not None and port not in ports:
                errors.append(f"{name}: the {kind} uses a port {port} that does not exist")
        security = container["securityContext"]
        if not security["readOnlyRootFilesystem"] or security["allowPrivilegeEscalation"] or security["capabilities"] != {"drop": ["ALL"]}:
            errors.append(f"{name}: {container['name']} may do too much")
    if not pod["securityContext"]["runAsNonRoot"]:
        errors.append(f"{name}: may run as root")
    sleeps = [container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0) for container in pod["containers"]]
    if any(each.get("restartPolicy") == "Always" for each in pod.get("initContainers", [])) and min(sleeps) == 0:
        errors.append(f"{name}: the application ends while its sidecar still gets requests")
    grace = pod["terminationGracePeriodSeconds"]
    drains = [each for container in pod.get("initContainers", []) + pod["containers"] for each in container.get("env", [])]
    needed = max(sleeps) + sum(int(each["value"]) for each in drains if each["name"].startswith("CONVERT_DRAIN_"))
    if grace <= needed:
        errors.append(f"{name}: terminationGracePeriodSeconds of {grace} is not longer than the drain, {needed} s")


def check_memory(name, container, configuration):
    """The number of loops is known, enough memory is left beside them, and the buffers fit into it: docs/http.md, the memory limit."""
    values = dict(configuration)
    for each in container.get("env", []):
        if each["value"]:
            values[re.sub("_(.)", lambda match: match[1].upper(), each["name"].removeprefix("CONVERT_").lower())] = each["value"]
    limits = container["resources"]["limits"]
    cores = limits.get("cpu")
    if int(values.get("loops", 0)) == 0 and cores is None:
        errors.append(f"{name}: neither a CPU limit nor CONVERT_LOOPS sets the number of event loops")
        return
    loops = int(values.get("loops", 0)) or math.ceil(float(cores.removesuffix("m")) / (1000 if cores.endswith("m") else 1))
    left = bytes_of(limits["memory"]) // 2**20 - 24 - loops
    if left < 128:
        errors.append(f"{name}: a memory limit of {limits['memory']} leaves {left} MiB beside the program")
    if bytes_of(values.get("maxBufferedBytes", 0)) > left * 2**20 // 5 * 2:
        errors.append(f"{name}: maxBufferedBytes does not fit the memory limit of {limits['memory']}")
    if bytes_of(container["resources"]["requests"]["memory"]) > bytes_of(limits["memory"]):
        errors.append(f"{name}: the memory request is larger than the memory limit")


def check_limits():
    maps = named("ConfigMap")
    for name, each in named("Deployment").items():
        pod = each["spec"]["template"]["spec"]
        mounted = [maps[volume["configMap"]["name"]]["data"] for volume in pod["volumes"]]
        configuration = next((json.loads(data["convert.json"]) for data in mounted if "convert.json" in data), {})
        for container in pod.get("initContainers", []) + pod["containers"]:
            if container["image"].startswith("convert-server"):
                check_memory(name, container, configuration)


def check_files():
    """The profiles and configurations have no errors, at the paths where the volumes put them."""
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
                errors.append(f"{name}: {outcome.stdout}{outcome.stderr}")


check_schemas()
check_references()
check_kustomizations()
check_policies()
check_pod_monitor()
check_limits()
check_files()
print("\n".join(errors), end="\n" if errors else "")
sys.exit(1 if errors or len(documents) < 7 else 0)

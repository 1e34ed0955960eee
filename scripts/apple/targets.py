"""What is compiled: the targets of the package, of its examples and of the packages that they need, by their manifests."""

import json
import os
import pathlib
import re
import subprocess

from generated import generated_files

# Products that cannot be compiled here, and why. A target that needs one is left out, and the table says so.
LEFT_OUT = {
    "FlyingFox": "needs a web server, and the stub of Darwin has no sockets",
    "FlyingSocks": "needs a web server, and the stub of Darwin has no sockets",
}

# A file of an app that imports modules with names that this package has too, as Docs/requests.md says how.
COLLISIONS = {
    "name": "Collisions", "type": "regular", "path": "scripts/apple/app", "exclude": [], "resources": [],
    "dependencies": [{"byName": ["Apollo", None]}],
    "settings": [{"tool": "swift", "kind": {"swiftLanguageMode": {"_0": "6"}}}],
}

# Code as apps have it: an app chooses the language mode and the default isolation of these.
APP_CODE = {"Fixtures", "Pieces", "Examples"}


# A condition that is not the same for all of Apple's systems.
BETWEEN_SYSTEMS = re.compile(
    r"^\s*#(?:if|elseif)\b.*\b(?:os\((?:macOS|iOS|tvOS|watchOS|visionOS)\)|canImport\((?:AppKit|Cocoa|UIKit|WatchKit)\)"
    r"|targetEnvironment\()", re.MULTILINE)


class Target:
    def __init__(self, manifest, description, group):
        self.manifest, self.group, self.description = manifest, group, description
        self.name = description["name"]
        self.module = self.name.replace("-", "_")
        self.kind = description["type"]
        self.folder = manifest.folder / description.get("path", f"{self._parent}/{self.name}")
        self.settings = [setting for setting in description["settings"] if setting["tool"] == "swift"]
        self.extra_files = []

    @property
    def _parent(self):
        return {"plugin": "Plugins", "test": "Tests"}.get(self.kind, "Sources")

    @property
    def is_app_code(self):
        return self.group in APP_CODE

    def files(self):
        roots = [self.folder / path for path in self.description.get("sources") or [""]]
        excluded = [str(self.folder / path) for path in self.description["exclude"]]
        found = []
        for root in roots:
            if root.is_file():
                found.append(root)
            for folder, folders, names in os.walk(root, followlinks=True):
                folders[:] = [name for name in folders if not name.endswith(".docc") and not name.startswith(".")
                              and os.path.join(folder, name) not in excluded]
                found += [pathlib.Path(folder, name) for name in names if os.path.join(folder, name) not in excluded]
        return sorted(found)

    def swift_files(self):
        return [file for file in self.files() if file.suffix == ".swift"] + self.extra_files

    def differs_between_systems(self):
        """Whether its text asks which of Apple's systems it is compiled for."""
        return any(BETWEEN_SYSTEMS.search(file.read_text()) for file in self.swift_files())

    def dependencies(self, platform=None):
        """The names of the targets and products that it needs on a platform, or on any of Apple's."""
        for dependency in self.description["dependencies"]:
            (kind, value), = dependency.items()
            if kind == "plugin":
                continue
            name, condition = value[0], (value[-1] if isinstance(value[-1], dict) else None)
            platforms = (condition or {}).get("platformNames") or None
            if (condition or {}).get("traits"):
                continue  # Traits are off unless an app asks.
            if platforms and not (set(platforms) & ({platform} if platform else {"macos", "ios"})):
                continue
            yield name

    def version(self, system):
        """The minimum that it is compiled for; None if it is not made for a system."""
        version = self.manifest.minimums.get(system.platform)
        if self.kind in ("plugin", "executable") and self.group != "Examples" and system.name != "macOS":
            return None
        return version

    def flags(self, mode):
        """The settings of its manifest (mode None), or those of an app."""
        flags = ["-package-name", self.manifest.name]
        if self.kind == "plugin":
            return flags + ["-swift-version", "6", "-package-description-version", "6.2.0", "-parse-as-library"]
        names = [file.name for file in self.swift_files()]
        if "main.swift" not in names:
            flags.append("-parse-as-library")
        if mode:
            return flags + mode.flags
        # Other packages are not what is checked.
        version = "5" if self.group == "Dependencies" else self.language_mode
        return flags + ["-enable-bare-slash-regex", "-swift-version", version, *self._declared()]

    @property
    def language_mode(self):
        for setting in self.settings:
            if "swiftLanguageMode" in setting["kind"]:
                return setting["kind"]["swiftLanguageMode"]["_0"]
        return self.manifest.language_mode

    def _declared(self):
        flags = []
        for setting in self.settings:
            (kind, value), = setting["kind"].items()
            condition = setting.get("condition") or {}
            platforms = condition.get("platformNames")
            if platforms and "macos" not in platforms or condition.get("traits"):
                continue
            if kind == "enableUpcomingFeature":
                flags += ["-enable-upcoming-feature", value["_0"]]
            elif kind == "enableExperimentalFeature":
                flags += ["-enable-experimental-feature", value["_0"]]
            elif kind == "define":
                flags += ["-D", value["_0"].split("=")[0]]
            elif kind == "defaultIsolation":
                flags += ["-default-isolation", value["_0"] or "nonisolated"]
        return flags


class Manifest:
    def __init__(self, folder, name=None):
        self.folder = folder
        result = subprocess.run(["swift", "package", "dump-package", "--package-path", str(folder)],
                                capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"check-apple: the manifest in {folder} cannot be read:\n{result.stderr}")
        self.content = json.loads(result.stdout)
        self.name = name or self.content["name"]
        self.minimums = {entry["platformName"]: entry["version"] for entry in self.content["platforms"]}
        version = self.content["toolsVersion"]["_version"].split(".")[0]
        self.language_mode = "6" if int(version) >= 6 else "5"
        self.targets = {target["name"]: target for target in self.content["targets"]}
        self.products = {product["name"]: product["targets"] for product in self.content["products"]}


def read(root):
    """All targets, each after those that it needs, and those that are left out with the reason."""
    package = Manifest(root)
    if not any(root.glob(".build/checkouts/*")):
        subprocess.run(["swift", "package", "resolve"], cwd=root, check=True)
    groups = []
    for name, description in package.targets.items():
        group = group_of(description)
        if group:
            groups.append(Target(package, description, group))
    for file in sorted(root.glob("Examples/Package.swift")) + sorted(root.glob("Examples/*/Package.swift")):
        manifest = Manifest(file.parent)
        groups += [Target(manifest, description, "Examples") for description in manifest.targets.values()
                   if description["type"] != "test" and description["name"] != "Readme"]
    groups.append(Target(package, COLLISIONS, "Pieces"))
    reader = Reader(root, package, groups)
    for target in groups:
        reader.visit(target)
    return reader


def group_of(description):
    path = description.get("path", "")
    if description["type"] == "plugin":
        return "Plugins"
    if description["type"] == "test":
        return None
    if "/Fixtures/" in path:
        return "Fixtures"
    if path.startswith("Tests/AppPieces"):
        return "Pieces"
    return None if path.startswith("Tests/") else "Sources"


class Reader:
    def __init__(self, root, package, targets):
        self.root, self.package = root, package
        self.known = {target.name: target for target in targets}
        self.ordered, self.left_out, self.done, self.maps = [], {}, {}, []
        self.checkouts = {folder.name: folder for folder in sorted(root.glob(".build/checkouts/*"))}
        self.products = dict(package.products)

    def visit(self, target):
        """Whether a target is compiled, once those that it needs are in the list."""
        if target.name in self.done:
            return self.done[target.name]
        self.done[target.name] = True
        target.needs = []
        for name in target.dependencies():
            if target.kind == "plugin":
                continue
            if name in LEFT_OUT:
                return self._leave_out(target, LEFT_OUT[name])
            for needed in self._resolve(name, target):
                if not self.visit(needed):
                    return self._leave_out(target, f"needs {needed.name}, which is left out")
                target.needs.append(needed)
        if target.kind == "system":
            self.maps.append(target.folder / "module.modulemap")
        else:
            target.extra_files = generated_files(self.root, target)
            self.ordered.append(target)
        return True

    def _leave_out(self, target, reason):
        self.left_out[target] = reason
        self.done[target.name] = False
        return False

    def _resolve(self, name, target):
        own = target.manifest.targets
        if name in self.known and (name in own or name not in self.products):
            return [self.known[name]]
        if name in own:
            return [self._make(target.manifest, name)]
        if name in self.products:
            return [self.known.get(target) or self._make(self.package, target) for target in self.products[name]]
        for folder in self.checkouts.values():
            if f'name: "{name}"' in (folder / "Package.swift").read_text():
                manifest = Manifest(folder)
                if name in manifest.products:
                    return [self._make(manifest, needed) for needed in manifest.products[name]]
        raise SystemExit(f"check-apple: {target.name} needs {name}, which is in no checkout. Run `swift build` first.")

    def _make(self, manifest, name):
        if name not in self.known:
            self.known[name] = Target(manifest, manifest.targets[name], "Dependencies")
        return self.known[name]

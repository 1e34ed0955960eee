"""What SwiftPM adds to a target before it is compiled: the output of the build plugin, and embedded resources."""

import json
import pathlib
import re
import subprocess


def generated_files(root, target):
    """Writes the files, below `.build-apple/generated`."""
    folder = root / ".build-apple/generated" / target.manifest.folder.relative_to(root) / target.name
    files = []
    if any("ApolloCodegenPlugin" in str(plugin) for plugin in target.description.get("pluginUsages") or []):
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.swift"):
            file.unlink()
        generate(root, target, folder)
        files += sorted(folder.glob("*.graphql.swift"))
    embedded = [resource["path"] for resource in target.description["resources"] if "embedInCode" in resource["rule"]]
    if embedded:
        folder.mkdir(parents=True, exist_ok=True)
        names = "".join(f"  static let {name.replace('.', '_').replace('-', '_')}: [UInt8] = []\n" for name in embedded)
        file = folder / "embedded_resources.swift"
        file.write_text(f"struct PackageResources {{\n{names}}}\n")
        files.append(file)
    return files


def generate(root, target, folder):
    """Runs the generator as the build plugin does (Plugins/ApolloCodegenPlugin/CodegenInputs.swift)."""
    tool = root / ".build/debug/apollo-codegen"
    if not tool.exists():
        subprocess.run(["swift", "build", "--product", "apollo-codegen"], cwd=root, check=True)
    files = target.files()
    # In the target's folder, or in the nearest folder above it within the package.
    folders = [path for path in [target.folder, *target.folder.parents] if path.is_relative_to(target.manifest.folder)]
    places = [path / "apollo-codegen-config.json" for path in folders]
    configuration = next((file for file in places if file.exists()), None)
    content = json.loads(configuration.read_text()) if configuration else {}
    output = content.get("output", {})
    is_elsewhere = ("other" in output.get("schemaTypes", {}).get("moduleType", {})
                    and "inSchemaModule" not in output.get("operations", {"inSchemaModule": {}}))
    namespace = content.get("schemaNamespace") or content.get("schemaName") or ""
    module = namespace[:1].upper() + namespace[1:] if is_elsewhere else None
    needed = [file for other in target.needs if other.manifest is target.manifest for file in other.folder.rglob("*.*")]
    operations = [file for file in files if file.suffix == ".graphql"]
    schemas = [file for file in files if is_schema(file)]
    is_configured = "schemaSearchPaths" in content.get("input", {})
    if not is_configured and not any(map(is_whole, schemas)):
        schemas = [file for file in needed if is_schema(file)] + schemas
    provided = [file for file in files + (needed if module not in (None, target.name) else []) if is_provided(file)]
    arguments = ["generate", "--quiet", "--output", str(folder)]
    if configuration:
        arguments += ["--path", str(configuration)]
    if schemas:
        adds = configuration and not any(map(is_whole, schemas))
        arguments += ["--schema-extensions" if adds else "--schema", *map(str, schemas)]
    if provided:
        arguments += ["--provided", *map(str, provided)]
    if module == target.name:
        arguments += ["--only", "schema-types"]
    else:
        arguments += ["--operations", *map(str, operations)] + (["--only", "operations"] if module else [])
    subprocess.run([str(tool), *arguments], check=True)


def is_schema(file: pathlib.Path):
    return file.suffix == ".graphqls" or file.name == "schema.json"


def is_whole(file: pathlib.Path):
    """Whether a schema says which type queries start at. Others add to one."""
    return file.suffix != ".graphqls" or re.search(r"(?m)^\s*(type\s+Query\b|schema\b)", file.read_text())


def is_provided(file: pathlib.Path):
    return file.name == "SchemaConfiguration.swift" or file.suffix == ".swift" and file.parent.name == "CustomScalars"

"""What SwiftPM adds to a target before it is compiled: the output of the build plugin, and embedded resources."""

import glob
import json
import os
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
    configuration = configuration_of(target.folder, target)
    content = content_of(configuration)
    module = schema_module(content)
    others = [other.folder for other in target.needs if other.manifest is target.manifest]
    needed = [file for folder in others for file in folder.rglob("*.*")]
    operations = [file for file in files if file.suffix == ".graphql"]
    schemas = [file for file in files if is_schema(file)]
    whole = set(filter(is_whole, schemas))
    search_paths = content.get("input", {}).get("schemaSearchPaths")
    if search_paths is None:
        if not whole:
            schemas = [file for file in needed if is_schema(file)] + schemas
        adds = configuration and not any(map(is_whole, schemas))
    else:
        found = found_files(search_paths, configuration.parent)
        adds = not whole or set(filter(is_whole, found)) == whole
        if adds:
            same = [folder for folder in others if shares(configuration_of(folder, target), configuration)]
            schemas = [file for folder in same for file in additions(folder, found)] + schemas
    provided = [file for file in files + (needed if module not in (None, target.name) else []) if is_provided(file)]
    arguments = ["generate", "--quiet", "--output", str(folder)]
    if configuration:
        arguments += ["--path", str(configuration)]
    if schemas:
        arguments += ["--schema-extensions" if adds else "--schema", *map(str, schemas)]
    if provided:
        arguments += ["--provided", *map(str, provided)]
    if module == target.name:
        arguments += ["--only", "schema-types"]
    else:
        arguments += ["--operations", *map(str, operations)] + (["--only", "operations"] if module else [])
    subprocess.run([str(tool), *arguments], check=True)


def configuration_of(folder, target):
    """The one in a folder, or in the nearest folder above it within the package of a target."""
    folders = [path for path in [folder, *folder.parents] if path.is_relative_to(target.manifest.folder)]
    places = [path / "apollo-codegen-config.json" for path in folders]
    return next((file for file in places if file.exists()), None)


def content_of(configuration):
    return json.loads(configuration.read_text()) if configuration else {}


def schema_module(content):
    """The module of the schema's types, if a configuration puts operations elsewhere."""
    output = content.get("output", {})
    is_elsewhere = ("other" in output.get("schemaTypes", {}).get("moduleType", {})
                    and "inSchemaModule" not in output.get("operations", {"inSchemaModule": {}}))
    namespace = content.get("schemaNamespace") or content.get("schemaName") or ""
    return namespace[:1].upper() + namespace[1:] if is_elsewhere and namespace else None


def shares(other, configuration):
    """Whether two configurations are one, or share the types of one schema."""
    module = schema_module(content_of(configuration))
    return other == configuration or module is not None and schema_module(content_of(other)) == module


def found_files(search_paths, folder):
    """The files that search paths find from the folder of their configuration."""
    def files(paths):
        return {pathlib.Path(os.path.normpath(file)) for path in paths
                for file in glob.glob(os.path.join(glob.escape(str(folder)), path), recursive=True)}
    excluded = files(path[1:] for path in search_paths if path.startswith("!"))
    return files(path for path in search_paths if not path.startswith("!")) - excluded


def additions(folder, found):
    """The files of a target that add to the schema in some files. If it has another whole schema, they add to that."""
    files = sorted(filter(is_schema, folder.rglob("*.*")))
    whole = set(filter(is_whole, files))
    return [file for file in files if file not in whole] if whole <= found else []


def is_schema(file: pathlib.Path):
    return file.suffix == ".graphqls" or file.name == "schema.json"


def is_whole(file: pathlib.Path):
    """Whether a schema says which type queries start at (as SchemaText.swift of the plugin). Others add to one."""
    if file.suffix == ".json":
        return True
    block = r'(?:"""[^"\\]*(?:(?:\\(?:""")?|"(?!""))[^"\\]*)*""")'
    line, comment = r'(?:"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*")', r"#[^\r\n]*"
    definitions = re.sub(r"\bextend\s+\w+", "", re.sub("|".join([block, line, comment]), "", file.read_text()))
    return bool(re.search(r"(?<![@\w])type\s+Query\b|(?m:^|[})])\s*schema\s*[@{]", definitions))


def is_provided(file: pathlib.Path):
    return file.name == "SchemaConfiguration.swift" or file.suffix == ".swift" and file.parent.name == "CustomScalars"

import ApolloCodegenLib
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import RandomDocuments

/// Writes random documents and their Swift: one module for each schema, and what the checker needs to know of it.
///
/// usage: random-writer OUTPUT SEED DOCUMENTS NAME=SCHEMA…   (SCHEMA is a file, or `hostile` or `plain` for a random one)
///        random-writer OUTPUT reduce SCHEMA-FOLDER DOCUMENT
@main struct Writer {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 3 else { throw Failure("usage: random-writer OUTPUT SEED DOCUMENTS NAME=SCHEMA…") }
    let output = URL(fileURLWithPath: arguments[0])
    try? FileManager.default.removeItem(at: output.appendingPathComponent("Inputs"))
    if arguments[1] == "reduce" {
      let schema = try SchemaTexts(folder: URL(fileURLWithPath: arguments[2]))
      let document = try String(contentsOfFile: arguments[3], encoding: .utf8)
      try write("Smaller", schema, Reduction.candidates(document), to: output)
      return
    }
    guard let seed = UInt64(arguments[1]), let count = Int(arguments[2]) else { throw Failure("SEED is a number") }
    for (index, argument) in arguments.dropFirst(3).enumerated() {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      let seed = seed &* 1000 &+ UInt64(index)
      let schema = try SchemaTexts(parts[1], seed: seed)
      let documents = try schema.documents(count, seed: seed)
      print("\(parts[0]): \(documents.count) documents over \(parts[1]), seed \(seed)")
      try write(parts[0], schema, documents, to: output)
    }
  }

  private static func write(
    _ name: String, _ schema: SchemaTexts, _ documents: [String], to output: URL
  ) throws {
    let code = try schema.generate(documents, module: name)
    let inputs = output.appendingPathComponent("Inputs/\(name)")
    let module = output.appendingPathComponent("Generated/\(name)")
    let mocks = output.appendingPathComponent("Generated/\(name)Mocks")
    for folder in [inputs, module, mocks] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for (file, text) in schema.files {
      try text.write(to: inputs.appendingPathComponent(file), atomically: false, encoding: .utf8)
    }
    for (index, document) in documents.enumerated() {
      try document.write(to: inputs.appendingPathComponent("Doc\(index).graphql"), atomically: false, encoding: .utf8)
    }
    var texts = [code.schema.name: code.schema.text]
    for document in code.documents { texts[document.file.name] = document.file.text }
    let generated = Array(texts.values)
    for document in code.documents {
      texts["Accessors." + document.file.name] = AccessorText.text([document.file.text])
    }
    texts["Operations.swift"] = operations(generated)
    try replace(module, with: texts)
    try replace(mocks, with: Dictionary(uniqueKeysWithValues: code.mocks.map { ($0.name, $0.text) }))
  }

  /// Makes files the only ones of a folder.
  private static func replace(_ folder: URL, with texts: [String: String]) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where texts[file] == nil {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
    }
    for (file, text) in texts {
      try text.write(to: folder.appendingPathComponent(file), atomically: false, encoding: .utf8)
    }
  }

  /// A list of all operations of a module.
  private static func operations(_ files: [String]) -> String {
    var names: [Substring] = []
    for line in files.flatMap({ $0.split(separator: "\n") }) {
      guard
        line.contains(": GraphQLQuery {") || line.contains(": GraphQLMutation {")
          || line.contains(": GraphQLSubscription {"),
        let start = line.range(of: "struct ")?.upperBound, let end = line.range(of: ":")?.lowerBound
      else { continue }
      names.append(line[start..<end])
    }
    return """
      public import ApolloAPI

      nonisolated public let operations: [any GraphQLOperation.Type] = [
      \(names.sorted().map { "  \($0).self," }.joined(separator: "\n"))
      ]

      """
  }
}

struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// A schema, and what its server has besides.
struct SchemaTexts {
  var files: [String: String] = [:]
  var isHostile = true

  /// - Parameter origin: A file, or `hostile` or `plain`.
  init(_ origin: String, seed: UInt64) throws {
    switch origin {
    case "hostile", "plain":
      let names: RandomSchema.Names = origin == "hostile" ? .hostile : .plain
      isHostile = origin == "hostile"
      files["schema.graphqls"] = RandomSchema.text(seed: seed, names: names)
      files["later.graphqls"] = RandomSchema.laterText(seed: seed, names: names)
    default:
      let url = URL(fileURLWithPath: origin)
      files["schema." + url.pathExtension] = try String(contentsOf: url, encoding: .utf8)
      guard let schema = Pipeline.schema(from: sources).value else { throw Failure("\(origin) cannot be read") }
      let keys = ConsistentServer.keys(for: schema.value)
      if !keys.isEmpty { files["keys.graphqls"] = keys }
    }
  }

  init(folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasPrefix("Doc") {
      files[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
  }

  /// What the app knows.
  var sources: [Source] {
    files.filter { $0.key != "later.graphqls" }.sorted { $0.key < $1.key }.map { Source($0.value, name: $0.key) }
  }

  func documents(_ count: Int, seed: UInt64) throws -> [String] {
    let parsed = Pipeline.schema(from: sources)
    guard let schema = parsed.value else {
      throw Failure("\(parsed.diagnostics.map(\.message))\n\(files["schema.graphqls"] ?? "")")
    }
    var options = RandomDocument.Options()
    options.hasEveryKind = true
    options.hasHostileNames = isHostile
    options.hasFragmentVariables = true
    let random = RandomDocument(schema.value, options)
    var documents: [String] = [], index: UInt64 = 0
    while documents.count < count {
      index += 1
      guard index < 100 * UInt64(count) else { throw Failure("hardly any document is valid") }
      let text = random.text(seed: seed &* 1_000_000 &+ index, suffix: "\(documents.count)")
      let checked = Pipeline.document(
        from: [Source(text, name: "Doc.graphql")], schema: schema, configuration: ApolloCodegenConfiguration())
      if checked.value != nil { documents.append(text) }
    }
    return documents
  }

  func generate(_ documents: [String], module: String) throws -> GeneratedCode {
    var configuration = ApolloCodegenConfiguration()
    configuration.schemaNamespace = module
    configuration.output.moduleType = .sameModule(accessLevel: .public)
    configuration.output.testMocks = .absolute(path: "mocks", accessLevel: .public)
    let sources = documents.enumerated().map { Source($1, name: "Doc\($0).graphql") }
    let result = Pipeline.generate(schema: self.sources, operations: sources, configuration: configuration)
    guard let code = result.value else {
      throw Failure(result.diagnostics.filter { $0.severity == .error }.map(\.message).joined(separator: "\n"))
    }
    return code
  }
}

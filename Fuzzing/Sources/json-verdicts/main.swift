import Apollo
import Foundation
import FuzzModels
import GraphQLJSON

// usage: json-verdicts FILE
//        json-verdicts --typed FILE
//
// With --typed, the documents are responses to the query of FuzzModels. Two lines are printed for each: the data as JSON,
// and what the cache gives after the response was written to it; or what is wrong.
//
// FILE holds documents, each behind its length in four bytes, little-endian. For each one a line is printed: a letter
// for each way to read it, `+` or `-` for accepted or refused, and then the value as we read it, for a response and, behind a tab, by GraphQLJSON.
//
//   v  ResponseReader.jsonValue        s  a member that is not selected
//   c  a custom scalar                 f  Foundation's JSONDecoder
//   g  GraphQLJSON

struct Nothing: SelectionSet {
  static let __fields = __FieldTable(version: 1, "")
  init(__reading object: inout __ObjectReader) throws(__ReadError) {}
  func __writeFields(to writer: inout __JSONWriter) {}
}

struct AnyScalar: CustomScalarType {
  let _jsonValue: JSONValue
  init(_jsonValue value: JSONValue) throws { _jsonValue = value }
}

struct Scalar: SelectionSet {
  var x: AnyScalar
  static let __fields = __FieldTable(version: 1, "x")
  init(__reading object: inout __ObjectReader) throws(__ReadError) { x = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, x) }
}

/// Any JSON, for Foundation's decoder.
struct AnyJSON: Decodable {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      for key in object.allKeys { _ = try object.decode(AnyJSON.self, forKey: key) }
    } else if var list = try? decoder.unkeyedContainer() {
      while !list.isAtEnd { _ = try list.decode(AnyJSON.self) }
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() || (try? value.decode(Bool.self)) != nil || (try? value.decode(String.self)) != nil {
        return
      }
      _ = try value.decode(Double.self)
    }
  }
}

func wrapped(_ document: ArraySlice<UInt8>, _ before: String, _ after: String) -> ResponseBytes {
  ResponseBytes(Array(before.utf8) + document + Array(after.utf8))
}

func text(_ query: EverythingQuery, _ body: () async throws -> EverythingQuery.Data?) async -> String {
  do {
    guard let data = try await body() else { return "no data" }
    var writer = __JSONWriter(variables: query.variables)
    data.__write(to: &writer)
    return writer.text
  } catch {
    return "\(error)".split(separator: "\n").joined(separator: " ")
  }
}

func typed(_ document: [UInt8]) async -> String {
  let query = EverythingQuery(full: true), bytes = ResponseBytes(document), store = ApolloStore()
  let data = await text(query) {
    try ResponseReader.read(EverythingQuery.Data.self, from: bytes, variables: query.variables).data
  }
  let cached = await text(query) {
    _ = try await store.write(response: bytes, for: query)
    return try await store.load(query)
  }
  return "\(data)\n\(cached)\n"
}

let isTyped = CommandLine.arguments[1] == "--typed"
let input = [UInt8](try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[isTyped ? 2 : 1])))
var position = 0
var output = ""
while position + 4 <= input.count {
  let length = (0..<4).reduce(0) { $0 | Int(input[position + $1]) << (8 * $1) }
  let document = input[(position + 4)..<(position + 4 + length)]
  position += 4 + length
  if isTyped {
    output += await typed(Array(document))
    continue
  }

  let value = try? ResponseReader.jsonValue(ResponseBytes(Array(document)))
  let skipped = try? ResponseReader.read(Nothing.self, from: wrapped(document, #"{"data":{"x":"#, "}}"))
  // A scalar that is null is an error of its own, so the value stands in an object.
  let scalar = try? ResponseReader.read(Scalar.self, from: wrapped(document, #"{"data":{"x":{"y":"#, "}}}"))
  let foundation = try? JSONDecoder().decode(AnyJSON.self, from: Data(document))
  output += "v\(value == nil ? "-" : "+")s\(skipped == nil ? "-" : "+")c\(scalar == nil ? "-" : "+")"
  let node = try? JSONNode(parsing: document)
  output += "f\(foundation == nil ? "-" : "+")g\(node == nil ? "-" : "+") "
  if let value {
    var writer = __JSONWriter()
    writer.writeJSON(value)
    output += writer.text
  }
  output += "\t\(node?.text ?? "")\n"
}
FileHandle.standardOutput.write(Data(output.utf8))

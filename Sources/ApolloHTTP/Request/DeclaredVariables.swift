import ApolloAPI
import ApolloTransport

/// The variables that an operation declares, as its text has them.
struct DeclaredVariables {
  struct Variable {
    let name: String
    /// The innermost type: `Upload` for `[Upload!]!`.
    let type: String
  }

  private(set) var all: [Variable] = []

  /// - Parameter text: The text of the operation, without comments. The texts of fragments may follow it.
  init(_ text: String) {
    var bytes = text.utf8[...]
    // The list directly follows the name of the operation; see `sentVariables`.
    guard let start = bytes.firstIndex(where: { "({@".utf8.contains($0) }), bytes[start] == UInt8(ascii: "(") else {
      return
    }
    bytes = bytes[start...]
    var depth = 0
    while let byte = bytes.first {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return }
      case UInt8(ascii: "\""):
        Self.skipString(&bytes)
        continue
      case UInt8(ascii: "$"):
        bytes.removeFirst()
        let name = Self.word(&bytes)
        all.append(Variable(name: name, type: Self.word(&bytes)))
        continue
      default: break
      }
      bytes.removeFirst()
    }
  }

  /// Takes a name off the front, and what separates it from what is in front of it.
  private static func word(_ bytes: inout Substring.UTF8View) -> String {
    bytes = bytes.drop { !isOfName($0) }
    let name = bytes.prefix(while: isOfName)
    bytes = bytes[name.endIndex...]
    return String(decoding: name, as: UTF8.self)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Takes a string off the front: it may contain anything.
  private static func skipString(_ bytes: inout Substring.UTF8View) {
    let isBlock = bytes.starts(with: #"""""#.utf8)
    let end = isBlock ? #"""""# : "\""
    bytes = bytes.dropFirst(end.utf8.count)
    while !bytes.isEmpty, !bytes.starts(with: end.utf8) {
      bytes = bytes.dropFirst(bytes.first == UInt8(ascii: "\\") ? 2 : 1)
    }
    bytes = bytes.dropFirst(end.utf8.count)
  }
}

extension GraphQLOperation {
  /// Checks that files go to variables that there are.
  ///
  /// - Parameter names: The variables of the files, or paths from there.
  /// - Throws: ``OperationError`` for the first one that is not declared.
  static func checkFiles(_ names: Set<String>) throws {
    let text = operationDocument.text
    let declared = DeclaredVariables(text).all.map(\.name)
    // Without its text it is not known what an operation declares; and one by hand may write variables that it does not
    // declare.
    guard !declared.isEmpty else { return }
    for name in names.sorted() {
      let variable = name.prefix { $0 != "." }
      guard !declared.contains(where: { $0 == variable }) else { continue }
      throw OperationError(
        .invalidRequest,
        "A file is to be its variable '\(variable)', which it does not declare. It has "
          + declared.map { "'\($0)'" }.joined(separator: ", ")
          + ". A file in an input object has a path, such as 'input.file'.",
        operationName: operationName)
    }
  }

  /// Checks that no variable stands for a file, which a request without files cannot send.
  ///
  /// A type `Upload` need not be that of files: it may be an input object, an enum, or a scalar whose text names a file
  /// that the server has already. An empty text is none of that.
  ///
  /// - Throws: ``OperationError`` for a variable of the type `Upload` that is an empty text, or a list with one.
  func checkNoFiles() throws {
    let text = Self.operationDocument.text
    guard Self.operationType == .mutation, text.contains("Upload") else { return }
    let wanting = DeclaredVariables(text).all.filter { $0.type == "Upload" }
    guard !wanting.isEmpty,
      let values = (try ResponseReader.jsonValue(ResponseBytes(variables.json))) as? JSONObject,
      let variable = wanting.first(where: { Self.isPlaceholder(values[$0.name]) })
    else { return }
    throw OperationError(
      .invalidRequest,
      "Its variable '\(variable.name)' is a file, which 'perform' does not send: use 'upload(operation:files:)', with "
        + "'fieldName' \"\(variable.name)\".",
      operationName: Self.operationName)
  }

  private static func isPlaceholder(_ value: JSONValue?) -> Bool {
    if let list = value as? [JSONValue] { return list.contains(where: isPlaceholder) }
    return (value as? String)?.isEmpty == true
  }
}

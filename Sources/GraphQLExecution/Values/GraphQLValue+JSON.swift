public import GraphQLJSON

extension GraphQLValue {
  /// Reads a JSON text in UTF-8.
  ///
  /// Numbers without fraction and exponent that fit are ``int(_:)``. Of two members with one name, the last wins.
  ///
  /// - Throws: What is wrong, with its line and column. Nesting of more than 512 levels is one such defect, and a
  ///   number that no `Double` can hold is another.
  public init(json: some Collection<UInt8>) throws(JSONSyntaxError) {
    self = try GraphQLValue(JSONNode(parsing: json), in: json)
  }

  /// The value of a number in the grammar of JSON, which is that of GraphQL too: an integer where it is written as one
  /// and fits. It is infinite if no `Double` can hold it.
  init(digits: String) {
    self = Int(digits).map { .int($0) } ?? .double(Double(digits) ?? .infinity)
  }

  private init(_ node: JSONNode, in text: some Collection<UInt8>) throws(JSONSyntaxError) {
    switch node.value {
    case .null: self = .null
    case .boolean(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let digits):
      self = GraphQLValue(digits: digits)
      if case .double(let double) = self, double.isInfinite {
        throw JSONSyntaxError("The number is too large.", at: node.range.lowerBound, in: text)
      }
    case .array(let elements):
      var values: [GraphQLValue] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try GraphQLValue(element, in: text)) }
      self = .list(values)
    case .object(let members):
      var object = GraphQLValue.Object()
      for member in members { object[member.name] = try GraphQLValue(member.value, in: text) }
      self = .object(object)
    }
  }

  /// The value as JSON in UTF-8, members in their order. What JSON cannot hold, opaque values and infinite numbers, is
  /// written as `null`.
  public var json: [UInt8] {
    var printer = JSONPrinter()
    write(to: &printer)
    return printer.utf8
  }

  private func write(to printer: inout JSONPrinter) {
    switch self {
    // Results hold no opaque values: completing a leaf refuses them.
    case .null, .opaque: printer.null()
    case .bool(let value): printer.boolean(value)
    case .int(let value): printer.integer(value)
    case .double(let value): printer.double(value)
    case .string(let value): printer.string(value)
    case .list(let elements):
      printer.array { printer in
        for element in elements { element.write(to: &printer) }
      }
    case .object(let members):
      printer.object { printer in
        for (name, value) in members {
          printer.name(name)
          value.write(to: &printer)
        }
      }
    }
  }
}

import GraphQLSyntax

extension Schema {
  /// This schema with everything in the order of its name, so that two of them can be compared as text.
  public func sortedByName() -> Schema {
    let sorted = document.definitions.map(\.sorted).sorted { left, right in
      NaturalOrder.isBefore(left.sortingName, right.sortingName)
    }
    return Schema.build(from: [Document(definitions: sorted)], edition: edition).value
  }
}

extension Definition {
  fileprivate var sortingName: String {
    switch self {
    case .operation(let definition): definition.name?.value ?? ""
    case .fragment(let definition): definition.name.value
    case .schema: ""
    case .type(let definition): definition.name.value
    case .directive(let definition): definition.name.value
    }
  }

  fileprivate var sorted: Definition {
    switch self {
    case .operation, .fragment, .schema: return self
    case .directive(var directive):
      directive.arguments = directive.arguments.sortedByName
      directive.locations.sort { $0.rawValue < $1.rawValue }
      return .directive(directive)
    case .type(var type):
      type.body = type.body.sorted
      return .type(type)
    }
  }
}

extension TypeDefinition.Body {
  fileprivate var sorted: TypeDefinition.Body {
    switch self {
    case .scalar: self
    case .object(let interfaces, let fields):
      .object(interfaces: interfaces.sortedByName, fields: fields.map(\.sorted).sortedByName)
    case .interface(let interfaces, let fields):
      .interface(interfaces: interfaces.sortedByName, fields: fields.map(\.sorted).sortedByName)
    case .union(let members): .union(members: members.sortedByName)
    case .enum(let values): .enum(values: values.sortedByName)
    case .inputObject(let fields): .inputObject(fields: fields.sortedByName)
    }
  }
}

extension FieldDefinition {
  fileprivate var sorted: FieldDefinition {
    var field = self
    field.arguments = arguments.sortedByName
    return field
  }
}

extension Array where Element: Named {
  fileprivate var sortedByName: [Element] {
    sorted { NaturalOrder.isBefore($0.name.value, $1.name.value) }
  }
}

extension [Name] {
  fileprivate var sortedByName: [Name] { sorted { NaturalOrder.isBefore($0.value, $1.value) } }
}

/// An order of names in which `a2` comes before `a10`.
enum NaturalOrder {
  static func isBefore(_ left: String, _ right: String) -> Bool {
    var left = Array(left.utf8)[...]
    var right = Array(right.utf8)[...]
    while let first = left.first, let other = right.first {
      if isDigit(first), isDigit(other) {
        let number = popNumber(&left)
        let otherNumber = popNumber(&right)
        if number.count != otherNumber.count { return number.count < otherNumber.count }
        if !number.elementsEqual(otherNumber) { return number.lexicographicallyPrecedes(otherNumber) }
      } else {
        if first != other { return first < other }
        left.removeFirst()
        right.removeFirst()
      }
    }
    return left.isEmpty && !right.isEmpty
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The digits in front, without leading zeros.
  private static func popNumber(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}

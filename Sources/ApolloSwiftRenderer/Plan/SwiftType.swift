/// A type as Swift writes it.
indirect enum SwiftType: Hashable, Sendable {
  case named(String)
  /// `Hero.Friend`
  case member(String, of: SwiftType)
  case optional(SwiftType)
  case array(SwiftType)
  /// `GraphQLEnum<Episode>`
  case generic(String, SwiftType)

  var isOptional: Bool {
    if case .optional = self { true } else { false }
  }

  /// Optional, and not twice.
  var asOptional: SwiftType { isOptional ? self : .optional(self) }

  var unwrapped: SwiftType {
    if case .optional(let type) = self { type } else { self }
  }

  /// The names that it is written with.
  var names: Set<String> {
    switch self {
    case .named(let name): [name]
    case .member(let name, let owner): owner.names.union([name])
    case .optional(let type), .array(let type): type.names
    case .generic(let name, let argument): argument.names.union([name])
    }
  }

  /// The type inside of all optionals, lists and generic arguments.
  var leaf: SwiftType {
    switch self {
    case .named, .member: self
    case .optional(let type), .array(let type), .generic(_, let type): type.leaf
    }
  }

  /// With another type in the place of its leaf.
  func replacingLeaf(_ type: SwiftType) -> SwiftType {
    switch self {
    case .named, .member: type
    case .optional(let inner): .optional(inner.replacingLeaf(type))
    case .array(let element): .array(element.replacingLeaf(type))
    case .generic(let name, let argument): .generic(name, argument.replacingLeaf(type))
    }
  }
}

extension SwiftType: CustomStringConvertible {
  var description: String {
    switch self {
    case .named(let name): name
    case .member(let name, let owner): "\(owner).\(name)"
    case .optional(let type): "\(type)?"
    case .array(let element): "[\(element)]"
    case .generic(let name, let argument): "\(name)<\(argument)>"
    }
  }
}

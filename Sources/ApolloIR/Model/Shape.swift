/// The selections on one object: the members of the type that is generated for it.
///
/// Selections of one response key are merged, including those in named fragments. Inline fragments that always apply
/// are replaced by their fields. Selections that can never apply are left out.
public struct Shape: Sendable, Equatable {
  /// The type of the object in the schema, or the type condition of an inline fragment.
  public var parentType: ParentType
  /// For an inline fragment: the fields and fragments of the enclosing shape that always apply, which have been read
  /// already.
  public var inherited: [Member] = []
  /// The members that are read here: fields and named fragments in the order of the document, then inline fragments.
  public var members: [Member] = []
  /// The conditions of fragments that may be left out although the object has their type. Each is one term. The
  /// selections of such a fragment are members with a condition.
  public var conditions: [Condition] = []
  /// Whether `__typename` is selected. At the root of an operation, it is only if the document selects it.
  public var hasTypename: Bool
}

/// The type of an object in the schema.
public struct ParentType: Sendable, Hashable {
  /// The name of the type.
  public var name: String
  /// Whether the type is an interface or a union, so that the object's own type is known only when it arrives.
  public var isAbstract: Bool
}

/// One part of a shape.
public enum Member: Sendable, Equatable {
  /// A field.
  case field(FieldMember)
  /// A named fragment.
  case fragment(FragmentMember)
  case inlineFragment(InlineFragmentMember)
  case deferred(DeferredMember)

  public var key: MemberKey {
    switch self {
    case .field(let field): .field(field.responseKey)
    case .fragment(let fragment): .fragment(fragment.name)
    case .inlineFragment(let fragment): .inlineFragment(fragment.typeCondition)
    case .deferred(let fragment): .deferred(fragment.label)
    }
  }

  public var condition: Condition {
    switch self {
    case .field(let field): field.condition
    case .fragment(let fragment): fragment.condition
    case .inlineFragment(let fragment): fragment.condition
    case .deferred(let fragment): fragment.condition
    }
  }
}

/// Tells the members of a shape apart. Selections with one key are merged into one member.
public enum MemberKey: Sendable, Hashable {
  /// The response key.
  case field(String)
  case fragment(String)
  /// The type condition.
  case inlineFragment(String)
  /// The label.
  case deferred(String)
}

/// A field. `__typename` is none: see ``Shape/hasTypename``.
public struct FieldMember: Sendable, Equatable {
  /// The alias, or else the name.
  public var responseKey: String
  public var name: String
  /// The arguments in canonical form, such as `first:$first,order:"ASC"`; nil where there are none.
  public var arguments: String?
  public var type: ValueType
  /// What is selected in it, for objects.
  public var shape: Shape?
  /// How the cache finds the object without asking a server; nil where the schema does not say.
  public var policy: FieldPolicy?
  /// When the object has it: by a selection here, or by that of a named fragment beside it.
  public var condition: Condition
  /// Which part of the cache key of its object it is, from 0; nil for none.
  public var keyPosition: Int?
  public var description: String?
  public var deprecationReason: String?
  /// The type as the schema writes it.
  public var schemaType: String
}

/// The arguments of a field that make the key of the object, or objects, it leads to.
public struct FieldPolicy: Sendable, Equatable {
  /// Names, or paths such as `input.id`.
  public var keyArguments: [String]
  /// The object types that the field may lead to.
  public var types: [String]
}

/// A named fragment as a member.
public struct FragmentMember: Sendable, Equatable {
  public var name: String
  /// The type that the object has to be of. The inline fragment on that type has the fragment, too, and reads it. nil if
  /// the fragment applies to every object that may come.
  public var typeCondition: String?
  public var condition: Condition
}

/// What is selected on one type only, by inline fragments or by named ones, as a member.
public struct InlineFragmentMember: Sendable, Equatable {
  public var typeCondition: String
  public var condition: Condition
  public var shape: Shape
}

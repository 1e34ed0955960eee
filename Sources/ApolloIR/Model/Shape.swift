public import ApolloDirectives

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
  /// How old objects of the parent type may be, in seconds, as its `@cacheControl` says; nil if it does not.
  public var maxAge: Int?
  /// Whether objects of the parent type may be for one user.
  public var isPrivate = false
  /// The keys of the objects, where they depend on the objects' types. Empty for an object type, and for an interface
  /// whose possible types share one key.
  public var keys: [TypeKey] = []
  /// Fields that are parts of these keys and are not members, because the document does not select them.
  public var keyFields: [FieldMember] = []
}

extension Shape {
  /// Whether an error may stand in place of the value of a field. Named fragments are not looked into.
  var hasResults: Bool {
    members.contains { member in
      switch member {
      case .field(let field): field.type.hasResults || field.shape?.hasResults ?? false
      case .inlineFragment(let fragment): fragment.shape.hasResults
      case .deferred(let fragment): fragment.shape?.hasResults ?? false
      case .fragment: false
      }
    }
  }
}

/// The type of an object in the schema.
public struct ParentType: Sendable, Hashable {
  /// The name of the type.
  public var name: String
  /// Whether the type is an interface or a union, so that the object's own type is known only when it arrives.
  public var isAbstract: Bool
}

/// One member of a shape.
public enum Member: Sendable, Equatable {
  /// A field.
  case field(FieldMember)
  /// A named fragment.
  case fragment(FragmentMember)
  /// An inline fragment on a type, such as `... on Droid`.
  case inlineFragment(InlineFragmentMember)
  /// A fragment with `@defer`.
  case deferred(DeferredMember)

  /// The key of the member. Selections with one key are merged into one member.
  public var key: MemberKey {
    switch self {
    case .field(let field): .field(field.responseKey)
    case .fragment(let fragment): .fragment(fragment.name)
    case .inlineFragment(let fragment): .inlineFragment(fragment.typeCondition)
    case .deferred(let fragment): .deferred(fragment.label)
    }
  }

  /// The name that the document gives the member for a fragment; nil if it gives none.
  public var alias: String? {
    switch self {
    case .field: nil
    case .fragment(let fragment): fragment.alias
    case .inlineFragment(let fragment): fragment.alias
    case .deferred(let fragment): fragment.alias
    }
  }

  /// When the member is there.
  public var condition: Condition {
    switch self {
    case .field(let field): field.condition
    case .fragment(let fragment): fragment.condition
    case .inlineFragment(let fragment): fragment.condition
    case .deferred(let fragment): fragment.condition
    }
  }
}

/// Identifies a member of a shape. Selections with one key are merged into one member.
public enum MemberKey: Sendable, Hashable {
  /// A field, by its response key.
  case field(String)
  /// A named fragment, by its name.
  case fragment(String)
  /// An inline fragment, by its type condition.
  case inlineFragment(String)
  /// A fragment with `@defer`, by its label.
  case deferred(String)
}

/// A field as a member. `__typename` is not such a member: see ``Shape/hasTypename``.
public struct FieldMember: Sendable, Equatable {
  /// The name in the response: the alias, or else the name.
  public var responseKey: String
  /// The name of the field in the schema.
  public var name: String
  /// The arguments in canonical form, such as `first:$first,order:"ASC"`; nil if there are none.
  public var arguments: String?
  /// The type of the field.
  public var type: ValueType
  /// The selections on the field's object; nil for scalars and enums.
  public var shape: Shape?
  /// How the cache finds the object without asking the server; nil if the schema does not tell it.
  public var policy: FieldPolicy?
  /// How the cache makes one list of the pages of the field; nil if the schema does not tell it.
  public var pagination: Pagination?
  /// Whether the cache keeps the field's objects inside of the object that has the field, though they have keys.
  public var isEmbedded = false
  /// Whether it is a local field: it is not sent, and nil where the cache has no value.
  public var isLocal = false
  /// The levels of lists, from 0, at which null may stand and an error is thrown on.
  public var thrownLevels: [Int] = []
  /// What happens if the value is null; nil if it may be.
  public var required: RequiredAction?
  /// How old the value may be when it is read from the cache.
  public var age = FieldAge()
  /// When the object has the field, by a selection here or in a named fragment beside it.
  public var condition: Condition
  /// The position of the field in the cache key of its object, from 0; nil if it is not part of the key.
  public var keyPosition: Int?
  /// The description in the schema; nil if there is none.
  public var description: String?
  /// Why the field is deprecated; nil if it is not.
  public var deprecationReason: String?
  /// The type as it is written in the schema.
  public var schemaType: String
}

/// The arguments of a field that make the keys of the objects that it leads to.
public struct FieldPolicy: Sendable, Equatable {
  /// The names of arguments, or paths such as `input.id`.
  public var keyArguments: [String]
  /// The names of the object types that the field may lead to.
  public var types: [String]
}

/// A named fragment as a member.
public struct FragmentMember: Sendable, Equatable {
  /// The name of the fragment.
  public var name: String
  /// The type that the object must have. The inline fragment on that type also has this fragment, and reads it. nil if
  /// the fragment applies to every object that may come.
  public var typeCondition: String?
  /// When the member is there.
  public var condition: Condition
  /// The name that the document gives the member; nil if it has the name of the fragment.
  public var alias: String?
  /// The values of the fragment's variables in canonical form, such as `size:$first,tag:"new"`; nil if none has a
  /// value. In a fragment, a variable of its own is `$Details.size`.
  public var arguments: String?
}

/// The selections on one type only, in inline fragments or named fragments, as a member.
public struct InlineFragmentMember: Sendable, Equatable {
  /// The type for which the fragment holds.
  public var typeCondition: String
  /// When the member is there.
  public var condition: Condition
  /// The selections of the fragment.
  public var shape: Shape
  /// The name that the document gives the member; nil if it has the name of the type.
  public var alias: String?
}

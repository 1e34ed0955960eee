import ApolloIR

/// What the machinery of all structs has in common.
struct MachineryContext {
  let style: DeclarationStyle
  let scope: TopLevelScope
  /// The type that describes the schema; nil if there is none.
  let schemaMetadata: SwiftType?
}

/// Writes an extension that reads, writes and compares a selection set.
struct MachineryRenderer {
  private let plan: StructPlan
  /// The structs around the struct, from the outermost to the innermost.
  private let enclosing: [StructPlan]
  /// The name of the struct at the top level of a file.
  private let type: SwiftType
  private let context: MachineryContext

  /// Makes a renderer for the root of an operation or for a fragment.
  init(root plan: StructPlan, type: SwiftType, context: MachineryContext) {
    self.init(plan: plan, enclosing: [], type: type, context: context)
  }

  private init(plan: StructPlan, enclosing: [StructPlan], type: SwiftType, context: MachineryContext) {
    self.plan = plan
    self.enclosing = enclosing
    self.type = type
    self.context = context
  }

  private var style: DeclarationStyle { context.style }

  /// Writes the extension.
  ///
  /// - Parameters:
  ///   - writer: Writes the code.
  ///   - extraMembers: Writes further constants, such as the definition of a fragment. By default none.
  func render(to writer: inout CodeWriter, extraMembers: (inout CodeWriter) -> Void = { _ in }) {
    writer.blankLine()
    writer.block("\(style.isolation)extension \(type): \(conformances)") { writer in
      let table = "version: \(plan.fieldTableVersion), \(Literal.string(plan.fieldTable))"
      writer.line("\(style.access)static let __fields = __FieldTable(\(table))")
      if let schemaMetadata = context.schemaMetadata, enclosing.isEmpty {
        writer.member(
          "\(style.access)static var schema: (any ApolloAPI.SchemaMetadata.Type)?", "\(schemaMetadata).self")
      }
      extraMembers(&writer)
      writer.blankLine()
      readingInitializer(&writer)
      writer.blankLine()
      writeFields(&writer)
      if plan.isHashable {
        equality(&writer)
      }
    }
    for nested in plan.nested {
      MachineryRenderer(
        plan: nested, enclosing: enclosing + [plan], type: .member(nested.name, of: type), context: context
      ).render(to: &writer)
    }
  }

  private var conformances: String {
    let role =
      switch plan.role {
      case .root, .object: "SelectionSet"
      case .namedFragment: "Fragment"
      case .inlineFragment: "InlineFragment"
      }
    return plan.isHashable && hasMembers ? role + ", " + HashableRenderer.conformance : role
  }

  private var hasStoredTypename: Bool {
    if case .stored = plan.typename { true } else { false }
  }

  private var hasMembers: Bool { hasStoredTypename || !plan.stored.isEmpty }

  private func equality(_ writer: inout CodeWriter) {
    let typename = hasStoredTypename ? ["__typename"] : []
    guard plan.role == .inlineFragment, !plan.properties.isEmpty else {
      let (names, inlineFragments) = compared(plan.stored)
      return HashableRenderer(
        names: typename + names, inlineFragments: inlineFragments, isHashedByDefault: plan.isIdentifiable, style: style
      ).render(to: &writer)
    }
    let (shared, sharedFragments) = compared(plan.inherited), (own, ownFragments) = compared(plan.properties)
    HashableRenderer(
      names: typename + shared, inlineFragments: sharedFragments, hasOwnFields: true,
      isHashedByDefault: plan.isIdentifiable || (typename + shared + sharedFragments).isEmpty, style: style
    ).render(to: &writer)
    HashableRenderer(
      functions: .ofOwnFields, names: own, inlineFragments: ownFragments, isHashedByDefault: plan.hasOwnIdentifier,
      style: style
    ).render(to: &writer)
  }

  private func compared(_ properties: [PropertyPlan]) -> (names: [String], inlineFragments: [String]) {
    (properties.filter { !$0.isInlineFragment }.map(\.storage), properties.filter(\.isInlineFragment).map(\.storage))
  }

  // MARK: - Reading

  private func readingInitializer(_ writer: inout CodeWriter) {
    guard plan.role == .inlineFragment else {
      return writer.block("\(style.access)init(__reading object: inout __ObjectReader) throws(__ReadError)") { writer in
        if hasStoredTypename { writer.line("__typename = try object.typename()") }
        for field in plan.keyFields { writer.line("\(field.name) = try object.readKey(\(field.position))") }
        readMembers(&writer)
      }
    }
    let typename = hasStoredTypename ? ["__typename: String"] : []
    let names = StructRenderer.parameterNames(
      plan.inherited.map(\.name),
      properties: plan.properties.map(\.storage) + plan.conditionalParts.map(\.flag))
    let parameters =
      ["__reading object: inout __ObjectReader"] + typename
      + plan.inherited.map { names.parameter($0.name, outside($0.type)) }
    writer.function("init", parameters, tail: " throws(__ReadError)") { writer in
      if hasStoredTypename { writer.line("self.__typename = __typename") }
      for property in plan.inherited {
        let parameter = names.local(property.name)
        let value = property.isIndirect ? "__Indirect(wrappedValue: \(parameter))" : parameter
        writer.line("self.\(Identifier.escaped(property.storage)) = \(value)")
      }
      guard !plan.properties.isEmpty || !plan.conditionalParts.isEmpty else { return }
      writer.line("let outer = object.enter(Self.__fields)")
      readMembers(&writer)
      writer.line("object.leave(outer)")
    }
  }

  private func readMembers(_ writer: inout CodeWriter) {
    for property in plan.properties {
      var parts = value(of: property)
      parts[0] = "\(Identifier.member(property.storage)) = try " + parts[0]
      writer.fill(parts)
    }
    for part in plan.conditionalParts { writer.line("\(part.flag) = object.includes(\(part.condition))") }
  }

  /// The expression for a property, in parts between which a line may end.
  private func value(of property: PropertyPlan) -> [String] {
    switch property.source {
    case .field(let position):
      guard let condition = property.condition else { return ["object.read(\(position))"] }
      let isNullable = property.unconditionalType.isOptional
      return ["object.\(isNullable ? "readNullable" : "read")(\(position), if: \(condition))"]
    case .fragment(let list):
      let arguments = list.map { "arguments: \($0)" }
      guard let condition = property.condition else { return ["object.fragment(\(arguments ?? ""))"] }
      let parameters = ["if: \(condition)"] + (arguments.map { [$0] } ?? [])
      return ["__Indirect(wrappedValue: object.fragment(\(parameters.joined(separator: ", "))))"]
    case .inlineFragment(let handed):
      var parts = conditional(property, inline(property, handed), otherwise: "nil)")
      parts[0] = "__Indirect(wrappedValue: " + parts[0]
      return parts
    case .deferred(let read):
      let value =
        if read.isSwitchedOff {
          ".ready(object.fragment())"
        } else {
          "object.deferred(\(read.marks), \(Literal.string(read.label))"
            + (read.switchedOff.map { ", unless: \($0)" } ?? "") + ")"
        }
      return conditional(property, [value], otherwise: ".notExecuted")
    }
  }

  private func conditional(_ property: PropertyPlan, _ value: [String], otherwise: String) -> [String] {
    let condition: String
    switch (property.typeSet.map(outside), property.condition) {
    case (let types?, let position?): condition = "object.isType(\(types), if: \(position))"
    case (let types?, nil): condition = "object.isType(\(types))"
    case (nil, let position?): condition = "object.includes(\(position))"
    case (nil, nil): return value
    }
    return [condition, "? " + value[0]] + value.dropFirst() + [": \(otherwise)"]
  }

  /// Makes the struct of an inline fragment, which is passed the properties that it shares with this one.
  private func inline(_ property: PropertyPlan, _ handed: [MemberKey]) -> [String] {
    let stored = plan.storedByKey
    let arguments = handed.compactMap { key -> String? in
      guard let property = stored[key] else { return nil }
      // A computed property cannot be used before all stored properties have values.
      let value = Identifier.member(property.storage) + (property.isIndirect ? ".wrappedValue" : "")
      return "\(Identifier.label(property.name)): \(value)"
    }
    let typename = property.handsTypename ? ["__typename: \(typename)"] : []
    let all = ["\(property.unconditionalType)(__reading: &object"] + typename + arguments
    return all.dropLast().map { $0 + "," } + [all[all.count - 1] + ")"]
  }

  private var typename: String {
    guard case .forwarded(let owner) = plan.typename, let property = plan.stored.first(where: { $0.name == owner })
    else { return "__typename" }
    return Identifier.member(property.storage) + ".__typename"
  }

  // MARK: - Writing

  private func writeFields(_ writer: inout CodeWriter) {
    writer.block("@inline(never) \(style.access)func __writeFields(to writer: inout __JSONWriter)") { writer in
      if plan.role != .inlineFragment, writesTypename { writer.line("writer.write(0, __typename)") }
      for property in plan.properties {
        let member = Identifier.member(property.value)
        switch property.source {
        case .field(let position) where property.isConditional && property.unconditionalType.isOptional:
          writer.line("writer.write(\(position), \(member), if: \(property.condition ?? 0))")
        case .field(let position) where property.type != property.unconditionalType:
          writer.member("if let value = \(member)", "writer.write(\(position), value)")
        case .field(let position): writer.line("writer.write(\(position), \(member))")
        case .fragment(let list):
          writer.line("writer.write(fragment: \(member)\(list.map { ", arguments: \($0)" } ?? ""))")
        case .inlineFragment:
          writer.line("writer.write(fragment: \(Identifier.member(property.storage)).wrappedValue)")
        case .deferred(let read):
          writer.line("writer.write(\(read.marks), deferred: \(Literal.string(read.label)), \(member))")
        }
      }
      // Last, because fragments may have the fields as well, and what an app sets there counts.
      for field in plan.keyFields { writer.line("writer.writeKey(\(field.position), \(field.name))") }
    }
  }

  private var writesTypename: Bool {
    switch plan.typename {
    case .stored, .constant: true
    case .none, .forwarded: false
    }
  }

  // MARK: - Types

  /// The name of a type that is used in the struct, at the top level of a file.
  private func outside(_ type: SwiftType) -> SwiftType {
    type.renamed { name in
      var owner = self.type
      for scope in enclosing.reversed() {
        if case .member(_, let outer) = owner { owner = outer }
        if scope.declares(name) { return .member(name, of: owner) }
      }
      return context.scope.type(name)
    }
  }
}

extension StructPlan {
  fileprivate func declares(_ type: String) -> Bool {
    nested.contains { $0.name == type } || aliases.contains { $0.name == type }
  }
}

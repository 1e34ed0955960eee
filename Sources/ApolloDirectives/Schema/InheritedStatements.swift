import GraphQLSchema
import GraphQLSyntax

extension Schema {
  /// What counts for a type of what types say by directives: what the type itself says, or else its interfaces.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - includingOwn: Whether it counts what the type itself says. The default is true.
  ///   - statement: What a type says itself, by its name; nil if it says nothing.
  /// - Returns: What counts. There are several if interfaces say something of which none passes on the other's.
  func statements<Statement>(
    about type: NamedType, includingOwn: Bool = true, _ statement: (String) -> Statement?
  ) -> [Statement] {
    if includingOwn, let own = statement(type.name) { return [own] }
    let stating = allInterfaces(of: type).filter { statement($0.name) != nil }
    // What an interface says counts before what it is passed on from others.
    let nearest = stating.filter { interface in
      !stating.contains { other in
        other.name != interface.name && allInterfaces(of: other).contains { $0.name == interface.name }
      }
    }
    return nearest.compactMap { statement($0.name) }
  }

  /// All interfaces of a type, those that it names first.
  private func allInterfaces(of type: NamedType) -> [NamedType] {
    var found: [NamedType] = [], names: Set = [type.name], pending = [type]
    while !pending.isEmpty {
      let next = pending.flatMap { type in type.interfaces.compactMap { self.type(named: $0.value) } }
        .filter { names.insert($0.name).inserted }
      found += next
      pending = next
    }
    return found
  }
}

import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// A place where a value stands: a field of an object, with arguments, and perhaps an element of its list.
struct Place: CustomStringConvertible, Sendable {
  let node: MockNode
  let field: String
  /// The arguments that the value depends on; those that choose a page are left out.
  let arguments: GraphQLValue.Object
  let coordinate: String
  /// The arguments under which a value is in the store.
  let storedArguments: String
  /// What values depend on, besides the seed.
  private(set) var text: String
  /// The place of the list around it, or its own if there is none.
  private(set) var listText: String
  /// The index in the list around it.
  private(set) var index: Int?
  /// All arguments.
  let allArguments: GraphQLValue.Object
  /// What may name an object: the arguments, or the members of the only one that the field has.
  let named: GraphQLValue.Object
  /// Whether it is in what a mutation returns.
  let isBelowMutation: Bool

  init(_ world: MockWorld, _ node: MockNode, _ field: FieldDefinition, _ arguments: GraphQLValue.Object) {
    self.node = node
    self.field = field.name.value
    allArguments = arguments
    let isPaged = world.facts.connection(field.type.namedType.value) != nil
    self.arguments =
      isPaged
      ? GraphQLValue.Object(arguments.filter { !ConnectionShape.arguments.contains($0.key) }.map { ($0.key, $0.value) })
      : arguments
    named = field.arguments.count == 1 ? arguments.first?.value.object ?? arguments : arguments
    isBelowMutation = node.isBelowMutation || world.facts.isMutation(node.id.type)
    coordinate = "\(node.id.type).\(field.name)"
    storedArguments = self.arguments.canonicalArguments
    text = "\(node.id).\(field.name)\(storedArguments)"
    listText = text
  }

  func element(_ index: Int) -> Place {
    var place = self
    place.listText = text
    place.text += "[\(index)]"
    place.index = index
    return place
  }

  /// The numbers of the objects here. What a mutation returns is not an object that queries have by accident.
  var numbers: ClosedRange<Int> { isBelowMutation ? 1_000...999_999 : 1...10 }

  /// The type of the object here, of those that may be.
  func typeDraw(_ seed: UInt64, _ possible: [ObjectType]) -> String {
    var draw = Draw(seed, text + "!")
    return draw.element(of: possible).name
  }

  /// A text for people who look at a screen: "name of User 3".
  var description: String {
    var text = field
    if !arguments.isEmpty {
      let shown = arguments.canonicalArguments
      text += shown.count > 40 ? "(" + shown.dropFirst().prefix(38) + "…)" : shown
    }
    if let index { text += " \(index + 1)" }
    return node.name.isEmpty ? text : "\(text) of \(node.name)"
  }
}

/// One recorded function, and how ours is held against it.
struct Kind: Sendable {
  let name: String
  let check: @Sendable (Record, Corpus) async -> Outcome

  init(_ name: String, _ check: @escaping @Sendable (Record, Corpus) async -> Outcome) {
    self.name = name
    self.check = check
  }

  static let all: [Kind] =
    syntaxKinds + validationKinds + schemaKinds + executionKinds
}

extension Document {
  /// The definitions of several documents as one, such as operations and the fragments of other files.
  public init(concatenating documents: some Collection<Document>) {
    if let document = documents.first, documents.count == 1 {
      self = document
    } else {
      self.init(definitions: documents.flatMap(\.definitions), isParsed: documents.allSatisfy(\.isParsed))
    }
  }
}

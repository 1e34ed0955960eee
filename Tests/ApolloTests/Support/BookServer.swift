@testable import ApolloAPI
import Apollo
import Foundation
import StyledTests

// The server and the queries of `WatcherProgramTests`: each query has a part of a book only, so that what one of them
// brings may be incomplete for another one.

struct Titled: SelectionSet, Hashable {
  var id: String
  var title: String
  static let __fields = __FieldTable(version: 3, "__typename id!# title")
  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    _ = try object.typename()
    id = try object.read(1)
    title = try object.read(2)
  }
  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(1, id)
    writer.write(2, title)
  }
}

struct Paged: SelectionSet, Hashable {
  var id: String
  var pages: Int
  var note: String?
  static let __fields = __FieldTable(version: 3, "__typename id!# pages note")
  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    _ = try object.typename()
    id = try object.read(1)
    pages = try object.read(2)
    note = try object.read(3)
  }
  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(1, id)
    writer.write(2, pages)
    writer.write(3, note)
  }
}

struct WithSequel: SelectionSet, Hashable {
  var id: String
  var title: String
  var sequel: Paged?
  static let __fields = __FieldTable(version: 3, "__typename id!# title sequel")
  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    _ = try object.typename()
    id = try object.read(1)
    title = try object.read(2)
    sequel = try object.read(3)
  }
  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(1, id)
    writer.write(2, title)
    writer.write(3, sequel)
  }
}

struct BooksData<Book: SelectionSet & Hashable & Sendable>: SelectionSet, Hashable {
  var books: [Book]
  static var __fields: __FieldTable { __FieldTable(version: 1, "books") }
  init(__reading object: inout __ObjectReader) throws(__ReadError) { books = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, books) }
}

struct TitlesQuery: GraphQLQuery {
  static let operationName = "Titles"
  static let operationDocument = OperationDocument("query Titles { books { __typename id title } }")
  typealias Data = BooksData<Titled>
}

struct PagesQuery: GraphQLQuery {
  static let operationName = "Pages"
  static let operationDocument = OperationDocument("query Pages { books { __typename id pages note } }")
  typealias Data = BooksData<Paged>
}

struct BookQuery: GraphQLQuery {
  static let operationName = "Book"
  static let operationDocument = OperationDocument(
    "query Book($id: ID!) { book(id: $id) { __typename id title sequel { __typename id pages note } } }")

  var id: String

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("id", id) }

  struct Data: SelectionSet, Hashable {
    var book: WithSequel?
    static let __fields = __FieldTable(version: 1, "book(id:$id)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { book = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, book) }
  }
}

struct ChangeMutation: GraphQLMutation {
  static let operationName = "Change"
  static let operationDocument = OperationDocument(
    "mutation Change($id: ID!) { change(id: $id) { __typename id title } }")

  var id: String

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("id", id) }

  struct Data: SelectionSet, Hashable {
    var change: Titled?
    static let __fields = __FieldTable(version: 1, "change(id:$id)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { change = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, change) }
  }
}

/// Has a list of books. Each value on it is a number that was never there before.
final class BookServer: ResponseTransport {
  static let ids = ["1", "2", "3", "4"]

  enum Fate: CaseIterable { case answered, held, failed, answeredWithErrors, refused }

  struct Failure: Error {}

  /// Who asks: the number of a watcher; 0 for everyone else.
  struct Asker: RequestContext { let number: Int }

  private struct Book { var title: Int, pages: Int, note: Int?, sequel: String? }

  private struct Held {
    let request: Int, asker: Int
    var continuation: CheckedContinuation<Void, any Error>?
  }

  private struct State {
    var version = 0
    var books: [String: Book] = [:]
    var list = ["1", "2", "3"]
    var fate = Fate.answered
    var requestCount = 0
    var held: [Held] = []
    var log: [String] = []

    mutating func next() -> Int {
      version += 1
      return version
    }

    func json(_ id: String?, _ fields: String, typename: String, hasError: Bool = false) -> String {
      guard let id, let book = books[id] else { return "null" }
      let note = hasError ? "null" : book.note.map { "\"\($0)\"" } ?? "null"
      var text = #"{\#(typename)"id":"\#(id)""#
      if fields != "pages" { text += #","title":"\#(book.title)""# }
      if fields == "pages" { text += #","pages":\#(book.pages),"note":\#(note)"# }
      if fields == "all" {
        text += #","sequel":\#(json(book.sequel, "pages", typename: typename, hasError: hasError))"#
      }
      return text + "}"
    }

    /// The data of an operation. If it has an error, that is in the place of a note, of a book, or of nothing.
    func data(_ name: String, _ id: String, typename: String, hasError: Bool = false) -> String {
      func books(_ fields: String, isWrong: (String) -> Bool = { _ in false }) -> String {
        let texts = list.map { json($0, fields, typename: typename, hasError: isWrong($0)) }
        return #"{"books":[\#(texts.joined(separator: ","))]}"#
      }
      switch name {
      case "Titles": return books("title")
      case "Pages": return books("pages") { hasError && $0 == list.first }
      case "Book": return #"{"book":\#(hasError ? "null" : json(id, "all", typename: typename))}"#
      default: return #"{"change":\#(hasError ? "null" : json(id, "title", typename: typename))}"#
      }
    }
  }

  private let state = Locked(State())

  init() {
    state.withLock { state in
      for id in ["1", "2", "3"] {
        state.books[id] = Book(title: state.next(), pages: state.next(), note: state.next(), sequel: nil)
      }
      state.books["1"]?.sequel = "2"
    }
  }

  var log: [String] { state.withLock { $0.log } }
  /// Who asked for what is held.
  var held: [Int] { state.withLock { $0.held.filter { $0.continuation != nil }.map(\.asker) } }

  func note(_ text: String) { state.withLock { $0.log.append(text) } }
  func nextVersion() -> Int { state.withLock { $0.next() } }
  func decide(_ fate: Fate) { state.withLock { $0.fate = fate } }

  /// What the models of a query's data write.
  func data<Query: GraphQLQuery>(of query: Query) -> String {
    state.withLock { $0.data(Query.operationName, (query as? BookQuery)?.id ?? "", typename: "") }
  }

  func change(_ kind: Int, _ id: String, _ other: String) -> String {
    state.withLock { state in
      let version = state.next()
      if state.books[id] == nil { state.books[id] = Book(title: version, pages: version, note: nil, sequel: nil) }
      switch kind {
      case 0: state.books[id]?.title = version
      case 1: state.books[id]?.pages = version
      case 2: state.books[id]?.note = version % 2 == 0 ? nil : version
      case 3:
        let sequel = state.books[other] == nil ? nil : other
        state.books[id]?.sequel = sequel
      default:
        if state.list.contains(id) { state.list.removeAll { $0 == id } } else { state.list.insert(id, at: 0) }
      }
      return "\(["title", "pages", "note", "sequel", "list"][kind]) of \(id), \(version)"
    }
  }

  func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    let name = Operation.operationName, asker = (request.context as? Asker)?.number ?? 0
    let id = (request.operation as? BookQuery)?.id ?? (request.operation as? ChangeMutation)?.id ?? ""
    let (number, fate, body) = state.withLock { state in
      let fate = state.fate, hasErrors = fate == .answeredWithErrors
      state.fate = .answered
      state.requestCount += 1
      if Operation.operationType == .mutation, fate == .answered || fate == .held, state.books[id] != nil {
        let version = state.next()
        state.books[id]?.title = version
      }
      let typename = #""__typename":"Book","#
      let data = fate == .refused ? "null" : state.data(name, id, typename: typename, hasError: hasErrors)
      let path = ["Pages": #""books",0,"note""#, "Book": #""book""#, "Change": #""change""#][name]
      let errors =
        fate == .refused ? #"[{"message":"no"}]"# : path.map { #"[{"message":"no","path":[\#($0)]}]"# } ?? "[]"
      let body = #"{"data":\#(data)\#(fate == .refused || hasErrors ? ",\"errors\":\(errors)" : "")}"#
      state.log.append("  request \(state.requestCount), \(name) \(id) of \(asker), \(fate): \(body)")
      if fate == .held { state.held.append(Held(request: state.requestCount, asker: asker)) }
      return (state.requestCount, fate, body)
    }
    if fate == .failed { throw Failure() }
    if fate == .held { try await hold(number) }
    try await receive(TransportResponse(Data(body.utf8)))
  }

  private func hold(_ number: Int) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isGone = state.withLock { state in
          guard let place = state.held.firstIndex(where: { $0.request == number }) else { return true }
          state.held[place].continuation = continuation
          return false
        }
        if isGone { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      take { $0.firstIndex { $0.request == number } }?.continuation?.resume(throwing: CancellationError())
    }
  }

  private func take(_ place: ([Held]) -> Int?) -> Held? {
    state.withLock { state in place(state.held).map { state.held.remove(at: $0) } }
  }

  /// Answers a request that is held, or has it fail.
  ///
  /// - Returns: Whether there was one.
  @discardableResult func release(_ number: Int, fails: Bool) -> Bool {
    guard let held = take({ $0.isEmpty ? nil : number % $0.count }) else { return false }
    if fails { held.continuation?.resume(throwing: Failure()) } else { held.continuation?.resume() }
    return true
  }
}

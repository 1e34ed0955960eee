import Apollo
@testable import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing

/// After the tests of errors in the suite GraphQLQueryPagerTests of Apollo iOS.
@Suite("Errors of pages") struct PageErrorTests {
  /// A first page with an error of one of its fields.
  private static let partial =
    FriendsServer.hero(
      #""friends":"#
        + FriendsServer.connection("null", ["Luke"], previous: false, next: true, 3)
    ).dropLast() + #","errors":[{"message":"half","path":["hero","friends","nodes",0]}]}"#

  @Test("A page with data and errors has both", arguments: Mode.allCases, Caller.allCases)
  func errors_partialSuccess(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    bed.server.on(0, .answer(String(Self.partial)))
    await bed.fetch()
    #expect(bed.last?.errors == ["half"] && bed.last?.heroes == ["R2-D2"] && bed.pager.canLoadNext)
  }

  @Test("A first page without data has its errors", arguments: Mode.allCases, Caller.allCases)
  func errors_noData(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    bed.server.on(0, .answer(FriendsServer.errorsOnly))
    await bed.fetch()
    #expect(bed.recorder.values.count == 1 && bed.last?.errors == ["no"] && bed.last?.initial == nil)
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.missingInitialPage))
  }

  @Test("Loading all pages ends with a first page without data", arguments: Mode.allCases, Caller.allCases)
  func errors_noData_loadAll(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    bed.server.on(0, .answer(FriendsServer.errorsOnly))
    try await bed.loadAll()
    #expect(bed.recorder.values.count == 1 && bed.last?.errors == ["no"] && bed.last?.initial == nil)
    #expect(bed.server.requests.count == 1)
  }

  @Test("Loading all pages ends with a later page without data", arguments: Mode.allCases, Caller.allCases)
  func errors_noDataOnSecondPage_loadAll(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    bed.server.on(1, .answer(FriendsServer.errorsOnly))
    try await bed.loadAll()
    #expect(bed.recorder.values.count == 1 && bed.last?.errors == ["no"] && bed.last?.names == ["Luke", "Han"])
    #expect(bed.server.requests.count == 2)
  }

  @Test(
    "Loading all pages ends with a request that fails, and gives the pages before", arguments: Mode.allCases,
    Caller.allCases)
  func failureOnThirdPage_loadAll(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, friends: ["A", "B", "C", "D", "E"])
    bed.server.on(2, .fail)
    try await bed.loadAll()
    #expect(bed.outputs.map(\.names) == [["A", "B", "C", "D"]] && bed.failures.count == 1)
    #expect(bed.server.requests.count == 3, "It is not asked again.")
    try await bed.loadAll(fetchFromInitialPage: false)
    #expect(bed.last?.names == ["A", "B", "C", "D", "E"])
  }

  @Test(
    "The error of one page keeps the others, and the page can be loaded again", arguments: Mode.allCases,
    Caller.allCases)
  func failureKeepsPages(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller, friends: ["A", "B", "C", "D", "E"])
    await bed.fetch()
    try await bed.loadNext()
    bed.server.on(2, .fail)
    try await bed.loadNext()
    #expect(bed.failures.count == 1 && bed.pager.canLoadNext)
    bed.server.on(3, .answer(FriendsServer.errorsOnly))
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "C", "D"] && bed.last?.errors == ["no"])
    try await bed.loadNext()
    #expect(bed.last?.names == ["A", "B", "C", "D", "E"] && bed.last?.errors == [])
    #expect(bed.server.requests.suffix(3).map { $0.variables["after"] } == ["c-D", "c-D", "c-D"])
  }

  @Test("A list that is null has no pages", arguments: Mode.allCases)
  func nullList(mode: Mode) async throws {
    let bed = TestBed(mode)
    bed.server.on(0, .answer(FriendsServer.hero(#""friends":null"#)))
    await bed.fetch()
    #expect(bed.last?.initial == [] && !bed.pager.canLoadNext)
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.pageHasNoMoreContent))
  }

  @Test("A later page whose list is null keeps what was there", arguments: Mode.allCases)
  func nullSecondPage(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    bed.server.on(1, .answer(#"{"data":{"hero":null}}"#))
    try await bed.loadNext()
    #expect(bed.failures.isEmpty && !bed.pager.canLoadNext)
  }

  @Test(
    "An answer that is not a response is an output", arguments: Mode.allCases,
    ["", "[]", "{", #"{"data":{"hero":[]}}"#])
  func nonsense(mode: Mode, body: String) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    bed.server.on(1, .answer(body))
    try await bed.loadNext()
    #expect(bed.failures.count == 1 && bed.pager.canLoadNext)
    try await bed.loadNext()
    #expect(bed.last?.names == ["Luke", "Han", "Leia"])
  }

  // MARK: Cursors

  @Test("A server that repeats its end cursor is not asked for ever", arguments: Mode.allCases, Caller.allCases)
  func repeatedCursor(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    bed.server.changeAnswers {
      $0.replacingOccurrences(of: #""endCursor":"c-Leia""#, with: #""endCursor":"c-Han""#)
        .replacingOccurrences(of: #""hasNextPage":false"#, with: #""hasNextPage":true"#)
    }
    await #expect(performing: { try await bed.loadAll() }, throws: isError(.repeatedPage))
    #expect(bed.server.requests.count == 2 && bed.last?.names == ["Luke", "Han", "Leia"])
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.repeatedPage))
  }

  @Test("A server whose cursors go round is not asked for ever", arguments: Mode.allCases)
  func cycle(mode: Mode) async throws {
    let bed = TestBed(mode, friends: ["A", "B", "C", "D", "E", "F", "G", "H"])
    bed.server.changeAnswers {
      $0.replacingOccurrences(of: #""endCursor":"c-F""#, with: #""endCursor":"c-B""#)
    }
    await #expect(performing: { try await bed.loadAll() }, throws: isError(.repeatedPage))
    #expect(bed.server.requests.count == 3)
  }

  @Test("A server that repeats its start cursor is not asked for ever", arguments: Mode.allCases)
  func repeatedStartCursor(mode: Mode) async throws {
    let bed = TestBed(mode, .async, .reverse)
    bed.server.changeAnswers {
      $0.replacingOccurrences(of: #""startCursor":"c-Luke""#, with: #""startCursor":"c-Han""#)
        .replacingOccurrences(of: #""hasPreviousPage":false"#, with: #""hasPreviousPage":true"#)
    }
    await #expect(performing: { try await bed.loadAll() }, throws: isError(.repeatedPage))
    #expect(bed.server.requests.count == 2)
  }

  @Test("A server without cursors, whose pages lead to the first one, is not asked for ever", arguments: Mode.allCases)
  func noCursor(mode: Mode) async throws {
    let bed = TestBed(mode)
    bed.server.changeAnswers {
      $0.replacingOccurrences(of: #""endCursor":"c-Han""#, with: #""endCursor":null"#)
    }
    await bed.fetch()
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.repeatedPage))
    #expect(bed.server.requests.count == 1)
  }

  @Test("An empty page that promises more leads nowhere", arguments: Mode.allCases)
  func emptyPage(mode: Mode) async throws {
    let bed = TestBed(mode)
    await bed.fetch()
    let empty = FriendsServer.connection("", [], previous: true, next: true, 3)
    bed.server.on(1, .answer(FriendsServer.hero(#""friends":"# + empty)))
    await #expect(
      performing: { try await bed.loadAll(fetchFromInitialPage: false) }, throws: isError(.repeatedPage))
    #expect(bed.last?.names == ["Luke", "Han"])
  }

  // MARK: Loads that cannot be

  @Test("Without a first page, nothing can be loaded beside it", arguments: Mode.allCases, Caller.allCases)
  func missingInitialPage(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    await #expect(performing: { try await bed.loadNext() }, throws: isError(.missingInitialPage))
    await #expect(performing: { try await bed.loadPrevious() }, throws: isError(.missingInitialPage))
    await #expect(
      performing: { try await bed.loadAll(fetchFromInitialPage: false) }, throws: isError(.missingInitialPage))
    #expect(bed.server.requests.isEmpty)
  }

  @Test("Without a query for the page, nothing is loaded")
  func noQuery() async throws {
    let server = FriendsServer(["Luke", "Han", "Leia"])
    let pager = GraphQLQueryPager(
      client: ApolloClient(networkTransport: server, store: ApolloStore()),
      initialQuery: FriendsQuery(id: "2001", first: 2), extractPageInfo: { $0.forward },
      pageResolver: { _, _ in FriendsQuery?.none })
    await pager.fetch()
    await #expect(performing: { try await pager.loadNext() }, throws: isError(.noQuery))
    #expect(server.requests.count == 1)
  }

  @Test(
    "Each error says what it is",
    arguments: [
      (PaginationError.missingInitialPage, ApolloErrorCode.invalidRequest), (.pageHasNoMoreContent, .invalidRequest),
      (.loadInProgress, .invalidRequest), (.noQuery, .invalidRequest), (.cancellation, .cancelled),
      (.repeatedPage, .invalidResponse), (.unknown(FriendsServer.Failure()), .other),
    ])
  func texts(error: PaginationError, code: ApolloErrorCode) {
    #expect(error.code == code && error.message.hasSuffix(code == .other ? ")" : ".") && !error.message.isEmpty)
    #expect((error.cause != nil) == (code == .other))
  }
}

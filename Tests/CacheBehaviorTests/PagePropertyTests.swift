@testable import ApolloAPI
@testable import ApolloCache
import DiskCaches
import Foundation
import ResponseStyles
import StyledTests
import Testing

/// Which letters a cache has, when a server has the whole alphabet: runs of letters, by their places in it.
private struct NaivePages {
  struct Run: Equatable {
    var start: Int, end: Int
    /// The letter behind which it was asked for, and the one before which it was.
    var after: Int?, before: Int?

    func contains(_ letter: Int) -> Bool { letter >= start && letter < end }
  }

  /// The list, and what waits beside it.
  private(set) var runs: [Run] = []

  mutating func load(_ page: Run) {
    if page.after == nil, page.before == nil {
      let first = runs.first
      runs = [page] + (first?.after == nil ? Array(runs.dropFirst()) : runs)
      join(0) { $0.after == $1.end - 1 }
      runs = [runs[0]]
      return
    }
    for index in runs.indices {
      if let after = page.after, runs[index].contains(after) {
        runs[index].end = page.end
        runs[index].before = after + 1 == runs[index].end ? runs[index].before : page.before
        return join(index)
      }
      if let before = page.before, runs[index].contains(before) {
        runs[index].start = page.start
        runs[index].after = page.after
        return join(index)
      }
      let isBeginning = page.after != nil && page.after == runs[index].after
      if isBeginning || page.before != nil && page.before == runs[index].before {
        runs[index] = page
        return join(index)
      }
      if Self.follows(page, runs[index]) || Self.follows(runs[index], page) {
        runs[index] = Self.joined(runs[index], page)
        return join(index)
      }
    }
    runs.append(page)
  }

  private static func follows(_ b: Run, _ a: Run) -> Bool {
    b.after == a.end - 1 || (a.before != nil && a.before == b.start)
  }

  private static func joined(_ a: Run, _ b: Run) -> Run {
    let (first, second) = follows(b, a) ? (a, b) : (b, a)
    return Run(start: first.start, end: second.end, after: first.after, before: second.before)
  }

  private mutating func join(_ start: Int, _ isNext: ((Run, Run) -> Bool)? = nil) {
    var index = start
    while let other = runs.indices.first(where: { other in
      other != index
        && (isNext.map { $0(runs[other], runs[index]) }
          ?? (Self.follows(runs[other], runs[index]) || Self.follows(runs[index], runs[other])))
    }) {
      runs[min(index, other)] = Self.joined(runs[index], runs[other])
      runs.remove(at: max(index, other))
      index = min(index, other)
    }
  }
}

extension CacheBehaviorTests {
  @Suite("Random pages of one list")
  struct PagePropertyTests {
    @Test(
      "The list is what a model of runs of letters says, also after each reopening of a backend",
      arguments: Effort.seeds(1), [false, true])
    func random(seed: UInt64, isOnDisk: Bool) async throws {
      var random = SplitMix(state: seed &+ 1)
      let alphabet = Array("abcdefghijklmnop"), memory = RecordsOnly(), disk = isOnDisk ? try DiskCache() : nil
      var pages = try Pages(disk?.cache ?? memory), model = NaivePages(), what = ""
      for _ in 0..<120 {
        let size = Int.random(in: 1...4, using: &random), letter = Int.random(in: 0..<alphabet.count, using: &random)
        var run = NaivePages.Run(start: 0, end: size), arguments = "first: \(size)"
        switch Int.random(in: 0..<10, using: &random) {
        case 0: break
        case 1...6 where letter + 1 < alphabet.count:
          run = .init(start: letter + 1, end: min(letter + 1 + size, alphabet.count), after: letter)
          arguments = #"first: \#(size), after: "c\#(alphabet[letter])""#
        case 7...9 where letter > 0:
          run = .init(start: max(0, letter - size), end: letter, before: letter)
          arguments = #"last: \#(size), before: "c\#(alphabet[letter])""#
        default: break
        }
        let letters = String(alphabet[run.start..<run.end])
        what += "\n\(arguments) → \(letters)"
        try await pages.load(letters, arguments, next: run.end < alphabet.count, previous: run.start > 0)
        model.load(run)
        if Int.random(in: 0..<8, using: &random) == 0 {
          try await disk?.reopen()
          pages = try Pages(disk?.cache ?? memory)
        }
        let list = model.runs[0]
        let wanted =
          (list.start > 0 ? "<" : "") + String(alphabet[list.start..<list.end]) + (list.end < alphabet.count ? ">" : "")
        let found = try await pages.list()
        guard found == wanted else {
          Issue.record("found \(found), wanted \(wanted), seed \(seed), after:\(what)")
          return
        }
      }
    }
  }
}

/// The names of values that are not to be in a file.
struct SecretNames: Sendable {
  private let secrets: [[String]]

  init(_ names: Set<String>) { secrets = names.map { Self.words($0) }.filter { !$0.isEmpty } }

  /// Whether a name is one of them or has its words in a row: `oldPassword`, `access_token` and `X-API-Keys`, but not
  /// `shipping` for `pin`.
  func contains(_ name: String) -> Bool {
    let words = Self.words(name), joined = words.joined()
    return secrets.contains { secret in
      Self.isEqual(joined, secret.joined())
        || words.indices.contains { start in
          words.count - start >= secret.count && zip(words[start...], secret).allSatisfy { Self.isEqual($0, $1) }
        }
    }
  }

  private static func isEqual(_ word: String, _ secret: String) -> Bool { word == secret || word == secret + "s" }

  /// The words of a name: `access` and `token` of `accessToken`, `access_token` and `Access-Token`; `api` and `key` of
  /// `APIKey`.
  private static func words(_ name: String) -> [String] {
    let characters = Array(name)
    var words: [String] = [], word = ""
    for (index, character) in characters.enumerated() {
      let before = index > 0 ? characters[index - 1] : " "
      let after = index + 1 < characters.count ? characters[index + 1] : " "
      let begins =
        character.isUppercase && (!before.isUppercase || after.isLowercase) || character.isNumber != before.isNumber
      if begins || !(character.isLetter || character.isNumber) {
        words.append(word)
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
    }
    return (words + [word]).filter { !$0.isEmpty }
  }
}

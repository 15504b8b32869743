// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// What tests of the console call: events, errors, results and state of many types.
contract Book {
    enum Mood { Calm, Loud }

    struct Entry {
        address author;
        uint96 weight;
        string text;
    }

    event Written(address indexed author, string indexed topic, uint256 number, Entry entry);
    event Cleared(uint256 count) anonymous;
    error TooLong(uint256 length, string text);

    address public owner;
    uint64 public count;
    bool public isOpen;
    int16 public level;
    Mood public mood;
    string public title;
    bytes public note;
    Entry public last;
    mapping(address => uint256) public balances;
    mapping(string => Entry) public byName;
    mapping(address => mapping(uint256 => bool)) public seen;
    uint16[] public numbers;
    uint256[3] public fixedNumbers;
    Entry[] public entries;

    constructor(string memory title_, uint64 count_) payable {
        owner = msg.sender;
        title = title_;
        count = count_;
        isOpen = true;
        level = -5;
        mood = Mood.Loud;
        note = "a note that is longer than the thirty-one bytes of one slot";
        last = Entry(msg.sender, 7, "first");
        balances[msg.sender] = 42;
        byName["alice"] = Entry(msg.sender, 9, "by alice");
        seen[msg.sender][3] = true;
        for (uint16 at = 0; at < 20; at++) numbers.push(at * 3);
        fixedNumbers = [uint256(1), 2, 3];
        entries.push(last);
        entries.push(Entry(address(0), 8, "second"));
    }

    function write(string calldata topic, Entry calldata entry) external payable returns (uint256 number) {
        if (bytes(entry.text).length > 40) revert TooLong(bytes(entry.text).length, entry.text);
        require(isOpen, "closed");
        last = entry;
        emit Written(msg.sender, topic, ++count, entry);
        return count;
    }

    function check(uint256[] calldata values, Entry[2] calldata pair) external pure returns (uint256 sum, Entry memory first) {
        for (uint256 at = 0; at < values.length; at++) sum += values[at];
        if (sum == 13) revert TooLong(sum, pair[1].text);
        require(sum != 14, "fourteen");
        return (sum, pair[0]);
    }
}

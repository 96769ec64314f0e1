"""From golden vectors about rankings and wordings to the public functions and back."""

from typing import Any

from seminar.metrics.measures import bleu, rouge
from seminar.metrics.measures.bartscore import mean_log_probability
from seminar.metrics.measures.containment import MATCHERS, dpr_tokens, top_k
from seminar.metrics.measures.multi_recall import cover, mrecall_ids, mrecall_strings, recall_ids
from seminar.metrics.official import pragmaticqa, qaconv, qrecc, topiocqa, trec

Json = dict[str, Any]


def topiocqa_retriever(case: Json, strict: bool) -> Json:
    return topiocqa.score_retriever(case["data"], case["results"], strict=strict)


def qaconv_recall(case: Json, strict: bool) -> Json:
    return qaconv.score_recall(case["questions"], case["ranks"], strict=strict)


def recall_of_ids(case: Json, strict: bool) -> Json:
    given = {"gold": case["gold"], "predicted": case["predicted"], "k": case["k"]}
    scores = {"mrecall": mrecall_ids(**given, strict=strict)}
    if case["gold"] or not case["predicted"]:
        scores["recall"] = recall_ids(**given, strict=strict)
        scores["capped_recall"] = recall_ids(**given, capped=True, strict=strict)
    return scores


def recall_of_strings(case: Json, strict: bool) -> Json:
    passages, k = case["passages"], case["k"]
    covers = [cover(one, passages, k=k, strict=strict) for one in case["annotations"]]
    return {
        "mrecall": mrecall_strings(case["annotations"], passages, k=k, strict=strict),
        "per_annotation": [
            {"covered": c.covered, "n": c.answers, "mrecall": c.mrecall, "recall_any": c.recall}
            for c in covers
        ],
    }


def dpr_answer(case: Json, strict: bool) -> Json:
    found = {"has_answer": MATCHERS[case["match_type"]](case["answers"], case["text"])}
    if case["match_type"] == "string":
        found["text_tokens"] = dpr_tokens(case["text"])
    return found


def dpr_top_k(case: Json, strict: bool) -> Json:
    result = top_k(case["documents"], case["answers"], case["retrieved"], strict=strict)
    return {
        "top_k_hits": list(result.hits),
        "hits": [list(found) for found in result.by_question],
        "top_k_accuracy": list(result.accuracy),
    }


def qrecc_span(case: Json, strict: bool) -> Json:
    match = qrecc.closest_span(case["passage"], case["answer"])
    return {"span": match.span, "f1": match.f1}


def qrecc_eval(case: Json, strict: bool) -> Json:
    scores = qrecc.score(case["rows"], strict=strict)
    return {
        "mrr": scores.mrr,
        "recall@10": scores.recall_at_10,
        "recall@100": scores.recall_at_100,
        "unique_relevant": scores.relevant_documents,
        "avg_relevant_f1_1": scores.perfect_per_question,
        "f1": [[match.f1 for match in found] for found in scores.matches],
        "spans": [[match.span for match in found] for found in scores.matches],
    }


def rouge_pair(case: Json, strict: bool) -> Json:
    said, wanted = case["prediction"], case["reference"]
    scores = {}
    for suffix, stem in (("plain", False), ("stem", True)):
        scores[f"rouge1_{suffix}"] = rouge.rouge_n(said, wanted, n=1, stem=stem)
        scores[f"rouge2_{suffix}"] = rouge.rouge_n(said, wanted, n=2, stem=stem)
        scores[f"rougeL_{suffix}"] = rouge.rouge_l(said, wanted, stem=stem)
    return {
        name: {"precision": one.precision, "recall": one.recall, "fmeasure": one.f}
        for name, one in scores.items()
    }


def rouge_corpus(case: Json, strict: bool) -> Json:
    said, wanted = case["predictions"], case["references"]
    pairs = zip(said, wanted, strict=True)
    return {
        "mean_rouge1_recall_plain": rouge.mean_rouge_1_recall(said, wanted),
        "mean_rouge1_recall_stem": rouge.mean_rouge_1_recall(said, wanted, stem=True),
        "per_item_rouge1_recall_plain": [rouge.rouge_n(a, b).recall for a, b in pairs],
    }


def sacrebleu(case: Json, strict: bool) -> Json:
    said, streams = case["hypotheses"], case["reference_streams"]
    cased = bleu.corpus_bleu(said, streams, strict=strict)
    return {
        "bleu": cased.score,
        "precisions": list(cased.precisions),
        "bp": cased.brevity_penalty,
        "sys_len": cased.system_length,
        "ref_len": cased.reference_length,
        "counts": list(cased.counts),
        "totals": list(cased.totals),
        "bleu_lowercase": bleu.corpus_bleu(said, streams, lowercase=True, strict=strict).score,
        "sentence_bleu_effective_order": bleu.sentence_bleus(said, streams),
        "signature": cased.signature,
    }


TREC_MEASURES = [
    *("AP", "AP@10", "P@1", "P@5", "R@1", "R@5", "R@10", "R@100", "RR", "RR@1", "RR@3", "RR@10"),
    *("Success@1", "Success@10", "nDCG", "nDCG@1", "nDCG@3", "nDCG@5", "nDCG@10", "nDCG@20"),
]


def trec_eval(case: Json, strict: bool) -> Json:
    by_query = trec.trec_eval(case["qrels"], case["run"])
    return {
        "pytrec_eval_per_query": by_query,
        "pytrec_eval_mean": trec.mean_of_queries(by_query),
        "ir_measures_mean": trec.mean_measures(case["qrels"], case["run"], TREC_MEASURES),
    }


def pragmatic_recall(case: Json, strict: bool) -> Json:
    gold, retrieved, k = case["gold_docs"], case["retrieved"], case["k"]
    return {
        "r_at_k": pragmaticqa.recall_any(gold, retrieved, k=k),
        "r_all_at_k": pragmaticqa.recall_all(gold, retrieved, k=k),
        "fraction_variant": pragmaticqa.recall_share(gold, retrieved, k=k),
    }


def bartscore(case: Json, strict: bool) -> Json:
    settings = {"pad_id": case["pad_id"], "max_length": case["max_length"]}
    return {
        "scores": [
            mean_log_probability(item["logits"], item["target_ids"], **settings)
            for item in case["items"]
        ]
    }


ADAPTERS = {
    ("topiocqa_retriever", "eval"): topiocqa_retriever,
    ("qaconv_recall", "eval"): qaconv_recall,
    ("mrecall_ids", "mrecall_ids"): recall_of_ids,
    ("mrecall_strings_derived", "mrecall_strings"): recall_of_strings,
    ("dpr_has_answer", "has_answer"): dpr_answer,
    ("dpr_has_answer", "top_k"): dpr_top_k,
    ("qrecc_retrieval", "closest_span"): qrecc_span,
    ("qrecc_retrieval", "eval"): qrecc_eval,
    ("rouge", "rouge"): rouge_pair,
    ("rouge", "rouge_corpus"): rouge_corpus,
    ("sacrebleu", "corpus_bleu"): sacrebleu,
    ("trec", "eval"): trec_eval,
    ("pragmaticqa_derived", "recall"): pragmatic_recall,
    ("bartscore", "bartscore_from_logits"): bartscore,
}

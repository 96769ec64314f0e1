"""From golden vectors about answers to the public functions and back."""

from typing import Any

from seminar.metrics.measures.containment import reader_exact_match
from seminar.metrics.measures.fuzzy import fuzzy_ratio, levenshtein_ratio
from seminar.metrics.measures.no_answer import NoAnswer
from seminar.metrics.measures.normalisation import normalise, normalise_marks
from seminar.metrics.measures.numbers import number_aliases
from seminar.metrics.measures.overlap import exact_match, f1, score_turn
from seminar.metrics.official import (
    ambigqa,
    ambigqa_questions,
    coqa,
    nq_open,
    pragmaticqa,
    qaconv,
    quac,
    squad,
    topiocqa,
)

Json = dict[str, Any]


def squad_v1_answer(case: Json, strict: bool) -> Json:
    one = squad.score_v1_answer(case["prediction"], case["references"], strict=strict)
    return {"exact": bool(one.exact), "f1": one.f1}


def squad_v1(case: Json, strict: bool) -> Json:
    return squad.score_v1(case["data"], case["predictions"], strict=strict)


def squad_v2_answer(case: Json, strict: bool) -> Json:
    one = squad.score_v2_answer(case["prediction"], case["references"], strict=strict)
    plain = normalise(case["prediction"])
    return {"exact": one.exact, "f1": one.f1, "normalized_prediction": plain}


def no_answer(case: Json) -> NoAnswer | None:
    if case.get("na_probs") is None:
        return None
    return NoAnswer(case["na_probs"], case.get("na_prob_thresh", 1.0))


def squad_v2(case: Json, strict: bool) -> Json:
    return squad.score_v2(
        case["data"],
        case["predictions"],
        no_answer=no_answer(case),
        precision_recall=case.get("pr", False),
        strict=strict,
    )


def turn(case: Json, strict: bool) -> Json:
    one = score_turn(case["prediction"], case["references"], strict=strict)
    return {"em": one.exact, "f1": one.f1}


def coqa_eval(case: Json, strict: bool) -> Json:
    if case.get("human"):
        return coqa.score_human(case["data"], strict=strict)
    return coqa.score(case["data"], case["predictions"], strict=strict)


def topiocqa_reader(case: Json, strict: bool) -> Json:
    if case.get("human"):
        return topiocqa.score_human(case["data"], strict=strict)
    return topiocqa.score_reader(
        case["data"], case["results"], top_k=case.get("top_k"), strict=strict
    )


def quac_f1(case: Json, strict: bool) -> Json:
    said, wanted = case["prediction"], case["reference"]
    return {
        "f1": f1(said, wanted),
        "exact": exact_match(said, wanted),
        "normalized": normalise(said),
    }


def quac_answer(case: Json, strict: bool) -> Json:
    said, references = case["prediction"], case["references"]
    return {
        "f1": quac.answer_f1(said, references, strict=strict),
        "overlap_label": quac.overlap_label(said, references, case["context"]),
        "human_f1": quac.human_f1(references),
    }


def quac_references(case: Json, strict: bool) -> Json:
    references = quac.resolve_cannot_answer(case["references"])
    return {"references": references, "human_f1": quac.human_f1(references)}


def quac_eval(case: Json, strict: bool) -> Json:
    scores = quac.score(
        case["val"],
        quac.predictions_of(case["prediction_lines"], strict=strict),
        minimum_human_f1=case["min_f1"],
        strict=strict,
    )
    return {
        "unfiltered_f1": scores.unfiltered_f1,
        "f1": scores.f1,
        "HEQ": scores.heq,
        "DHEQ": scores.dheq,
        "yes/no": scores.yesno,
        "followup": scores.followup,
        "unanswerable_acc": scores.unanswerable_accuracy,
        "printed_human_f1": f"{scores.human_f1:.1f}",
        "n_unfiltered": scores.unfiltered,
        "n_unanswerable": scores.unanswerable,
        "heq_count": scores.heq_count,
        "heq_total": scores.heq_total,
        "dheq_count": scores.dheq_count,
        "dheq_total": scores.dheq_total,
    }


def qaconv_eval(case: Json, strict: bool) -> Json:
    return {
        backend: qaconv.score(
            case["data"],
            case["predictions"],
            backend=backend,
            no_answer=no_answer(case),
            strict=strict,
        )
        for backend in ("difflib", "levenshtein")
    }


def aliases(case: Json, strict: bool) -> Json:
    return {"aliases": number_aliases(case["answers"], strict=strict)}


def fuzz(case: Json, strict: bool) -> Json:
    said, wanted = case["prediction"], case["reference"]
    plain, other = normalise(said), normalise(wanted)
    ratio = levenshtein_ratio(plain, other)
    return {
        "normalized_a": plain,
        "normalized_b": other,
        "fuzzywuzzy_difflib": fuzzy_ratio(said, wanted, backend="difflib"),
        "fuzzywuzzy_levenshtein": fuzzy_ratio(said, wanted, backend="levenshtein"),
        "rapidfuzz_ratio": ratio,
        "rapidfuzz_rounded": round(ratio),
    }


def as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def ambigqa_match(case: Json, strict: bool) -> Json:
    answers, said = as_list(case["answers"]), as_list(case["prediction"])
    return {"em": any(ambigqa.matches(answers, one, strict=strict) for one in said)}


def ambigqa_set_f1(case: Json, strict: bool) -> Json:
    answers = [as_list(answer) for answer in case["answers"]]
    return {"f1": ambigqa.set_f1(answers, case["predictions"], strict=strict)}


def ambigqa_eval(case: Json, strict: bool) -> Json:
    said = ambigqa.predictions_of(case["prediction"])
    scores = ambigqa.score(case["reference"], said, strict=strict)
    return {
        "per_question": [{"F1 answer": value} for value in scores.by_question],
        "is_multi": list(scores.multiple),
        "F1 answer (all)": scores.f1,
        "F1 answer (multi only)": scores.f1_multiple,
    }


def ambigqa_wording(case: Json, strict: bool) -> Json:
    return ambigqa_questions.compare_questions(
        case["generated"], case["references"], prompt=case["prompt"]
    )


def dpr_reader(case: Json, strict: bool) -> Json:
    return {
        "em": reader_exact_match(case["prediction"], case["reference"]),
        "normalized_prediction": normalise_marks(case["prediction"]),
    }


def nq_answer(case: Json, strict: bool) -> Json:
    return {
        "em": nq_open.exact_match(case["prediction"], case["references"]),
        "normalized_prediction": nq_open.normalise_decomposed(case["prediction"]),
    }


def nq_eval(case: Json, strict: bool) -> Json:
    match = nq_open.pattern_match if case.get("is_regex") else nq_open.exact_match
    scores = nq_open.score(case["references"], case["predictions"], match=match, strict=strict)
    return {
        "missing_predictions": scores.missing,
        "num_correct": scores.correct,
        "num_total": scores.total,
        "accuracy": scores.accuracy,
    }


def spans(case: Json) -> tuple[pragmaticqa.Spans, pragmaticqa.Spans]:
    return (
        pragmaticqa.Spans(case["pred_literal"], case["pred_pragmatic"]),
        pragmaticqa.Spans(case["gold_literal"], case["gold_pragmatic"]),
    )


def pragmatic(case: Json, strict: bool) -> Json:
    said, gold = spans(case)
    return {
        "f1_lit": pragmaticqa.literal_f1(said, gold),
        "f1_prag": pragmaticqa.pragmatic_f1(said, gold),
        "f1_prag_set_variant": pragmaticqa.pragmatic_f1_without(said, gold),
        "f1_prag_no_subtraction": pragmaticqa.plain_pragmatic_f1(said, gold),
    }


def pragmatic_mean(case: Json, strict: bool) -> Json:
    score = pragmaticqa.score(spans(item) for item in case["items"])
    return {"f1_lit": score.literal, "f1_prag": score.pragmatic}


ADAPTERS = {
    ("squad_v1", "max_over_refs"): squad_v1_answer,
    ("squad_v1", "eval"): squad_v1,
    ("squad_v2", "max_over_refs"): squad_v2_answer,
    ("squad_v2", "eval"): squad_v2,
    ("coqa", "turn_score"): turn,
    ("coqa", "eval"): coqa_eval,
    ("topiocqa_reader", "turn_score"): turn,
    ("topiocqa_reader", "eval"): topiocqa_reader,
    ("quac", "f1"): quac_f1,
    ("quac", "leave_one_out_max"): quac_answer,
    ("quac", "handle_cannot"): quac_references,
    ("quac", "eval"): quac_eval,
    ("qaconv", "eval"): qaconv_eval,
    ("number_aliases", "number_aliases"): aliases,
    ("fuzz_ratio", "fuzz"): fuzz,
    ("ambigqa", "exact_match"): ambigqa_match,
    ("ambigqa", "set_f1"): ambigqa_set_f1,
    ("ambigqa", "eval"): ambigqa_eval,
    ("ambigqa", "qg_metrics_pretokenized"): ambigqa_wording,
    ("dpr_has_answer", "reader_exact_match"): dpr_reader,
    ("nq_open", "exact_match"): nq_answer,
    ("nq_open", "eval"): nq_eval,
    ("pragmaticqa_derived", "prag"): pragmatic,
    ("pragmaticqa_derived", "prag_mean"): pragmatic_mean,
}
